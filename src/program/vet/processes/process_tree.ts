import process from "node:process";
import { withTimeout } from "../../../server/util/time/promises.ts";
import { runTool, type StartedCommand } from "./child_process.ts";

/** How long the processes of a suite may take to end by themselves, in milliseconds. */
const graceTime = 3_000;

/** A process, its parent and its group, as `ps` lists them. */
interface ListedProcess {
  pid: number;
  parent: number;
  group: number;
}

/** The groups that must not outlive this process. */
const runningGroups = new Set<number>();

/** Notes that a command runs, so that it ends with this process, however that ends. */
export function endWithThisProcess({ pid, closed }: StartedCommand): void {
  if (runningGroups.size === 0) process.once("exit", killRunning);
  runningGroups.add(pid);
  void closed.then(() => {
    runningGroups.delete(pid);
    if (runningGroups.size === 0) process.removeListener("exit", killRunning);
  });
}

function killRunning(): void {
  for (const group of runningGroups) signalGroup(group, "SIGKILL");
}

/** Ends a command that runs, and every process that it has started. */
export async function endTree({ pid, closed }: StartedCommand): Promise<void> {
  if (process.platform === "win32") await runTool("taskkill", "/PID", String(pid), "/T", "/F");
  else await endGroups(await groupsOf(pid), closed);
}

/** Ends what a command that has ended has left running, such as a server of the suite. */
export async function endLeftovers({ pid, closed }: StartedCommand): Promise<void> {
  if (process.platform !== "win32") await endGroups([pid], closed);
}

/** Asks processes to end, and ends those that go on by force. */
async function endGroups(groups: readonly number[], closed: Promise<unknown>): Promise<void> {
  for (const group of groups) signalGroup(group, "SIGTERM");
  await withTimeout(graceTime, closed, () => new Error("A process goes on.")).catch(() => {});
  for (const group of groups) signalGroup(group, "SIGKILL");
}

/** Returns the groups of a process and of its descendants, some of which may lead their own. */
async function groupsOf(pid: number): Promise<number[]> {
  const listed = await runTool("ps", "-A", "-o", "pid=,ppid=,pgid=");
  const found = treeOf(pid, parseProcesses(listed ?? ""));
  return [...new Set([pid, ...found.map(({ group }) => group)])];
}

/** Returns a process and all that descend from it. */
export function treeOf(pid: number, all: readonly ListedProcess[]): ListedProcess[] {
  const pids = new Set([pid]);
  let before = 0;
  while (pids.size > before) {
    before = pids.size;
    for (const each of all) if (pids.has(each.parent)) pids.add(each.pid);
  }
  return all.filter((each) => pids.has(each.pid) || each.group === pid);
}

/** Parses what `ps` prints. */
export function parseProcesses(text: string): ListedProcess[] {
  return text.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
    .filter((numbers) => numbers.length === 3 && numbers.every(Number.isInteger))
    .map(([pid = 0, parent = 0, group = 0]) => ({ pid, parent, group }));
}

function signalGroup(group: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    // 0 and 1 would mean our own group, and every process.
    if (group > 1) process.kill(-group, signal);
  } catch {
    // All of its processes have ended.
  }
}
