import process from "node:process";
import { UsageError } from "../terminal/usage_error.ts";

/** How often the parent is looked at, in milliseconds. */
const interval = 250;

/**
 * Calls back once the process that started this one has ended, however it ended. The system then
 * gives this process another parent. Its own pipes would not show it: others may hold them open.
 */
export function whenParentEnds(ended: () => void): void {
  const parent = process.ppid;
  const problem = parentProblem(parent, process.platform);
  if (problem !== undefined) throw new UsageError(`--with-parent ${problem}`);
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, interval);
}

/** Returns why the end of a parent process cannot be seen, or undefined. */
export function parentProblem(parent: number, platform: string): string | undefined {
  if (platform === "win32") return "needs Linux or macOS: Windows does not show that it ended.";
  // The first process of a container has a parent outside, which it cannot see.
  if (parent === 0) return "needs a process that starts the lab; here, a container does.";
  return undefined;
}
