import { readFile } from "node:fs/promises";
import process from "node:process";
import { UsageError } from "../terminal/exit_code.ts";
import type { Environment } from "../terminal/terminal.ts";

/** How often the parent is looked at, in milliseconds. */
const interval = 250;

/** The parent at the start: the system gives a process another one when its own ends. */
const parent = process.ppid;

/** A process, in the numbers of Linux. */
export interface SeenProcess {
  pid: number;
  parent: number;
  session: number;
}

/** Whether a shell started this process, as in a dev container: then others there use it. */
export function hasVisibleParent(): boolean {
  return parent > 1;
}

/** Refuses a parent whose end cannot be seen, or one that ended before this process could look. */
export async function checkParent({ inContainer }: { inContainer: boolean }): Promise<void> {
  const problem = parentProblem(parent, process.platform);
  if (problem !== undefined) throw new UsageError(`--with-parent ${problem}`);
  const own = await readProcess("self");
  const parents = own && await readProcess(own.parent);
  if (parents ? !isOrphan(own, parents) : parent !== 1 || inContainer) return;
  throw new UsageError(
    "--with-parent needs a process that keeps running: the one that started this lab has ended.",
  );
}

/**
 * Calls back once the process that started this one has ended, however it ended. The system then
 * gives this process another parent. Its own pipes would not show it: others may hold them open.
 */
export function whenParentEnds(ended: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, interval);
}

/**
 * As `whenParentEnds`, for a lab that npx started. Between npx and the lab is a shell that does not
 * pass on a signal: `kill $!` would end both, and leave the lab running. The option is for those
 * who need to know; here, a system that does not show the end of a parent is no reason to refuse.
 */
export function whenNpxEnds(environment: Environment, ended: () => void): void {
  // Deno would ask for the permission to read the variables. Its package does not come by npx.
  if ("Deno" in globalThis || !isStartedByNpx(environment)) return;
  if (parentProblem(parent, process.platform) === undefined) whenParentEnds(ended);
}

/** Whether `npx hallpass` started this process. A script that npx started is another command. */
export function isStartedByNpx(environment: Environment): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = "" } = environment;
  return event === "npx" && /^["']?hallpass\b/.test(script);
}

/** Returns why the end of a parent process cannot be seen, or undefined. */
export function parentProblem(parent: number, platform: string): string | undefined {
  if (platform === "win32") return "needs Linux or macOS: Windows does not show that it ended.";
  // The first process of a container has a parent outside, which it cannot see.
  if (parent === 0) return "needs a process that starts the lab; here, a container does.";
  return undefined;
}

/**
 * Returns whether the parent only adopted this process. A process is in the session of the one that
 * started it, or begins its own. The id 1 shows nothing: the first of a container may start others.
 */
export function isOrphan(own: SeenProcess, parent: SeenProcess): boolean {
  return own.session !== own.pid && own.session !== parent.session;
}

/** Only Linux shows processes in files, and Deno only with all permissions. */
async function readProcess(pid: number | "self"): Promise<SeenProcess | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const match = /^(\d+) \(.*\) \S (\d+) \d+ (\d+) /s.exec(stat);
  if (!match) return undefined;
  return { pid: Number(match[1]), parent: Number(match[2]), session: Number(match[3]) };
}
