import process from "node:process";
import { withTimeout } from "../../server/util/time/promises.ts";
import { runTool, type StartedCommand } from "./child_process.ts";

/** How long processes may take to end after they were asked to, in milliseconds. */
const graceTime = 3_000;
/** How long processes may take to end by force, and their output to arrive, in milliseconds. */
const endTime = 1_000;
/** The time between two checks whether processes have ended, in milliseconds. */
const interval = 20;

/** The signals with which a person, a terminal or a CI system ends a program. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type EndingSignal = typeof endingSignals[number];

/** A process, its parent and its group, as `ps` lists them. */
interface ListedProcess {
  pid: number;
  parent: number;
  group: number;
}

/** The groups that must not outlive this process. */
const runningGroups = new Set<number>();

/**
 * Notes that a command runs, so that it ends with this process, however that ends. Returns a
 * function that forgets it: another process may get its id.
 */
export function endWithThisProcess({ pid }: StartedCommand): () => void {
  if (runningGroups.size === 0) process.once("exit", killRunning);
  runningGroups.add(pid);
  return () => {
    runningGroups.delete(pid);
    if (runningGroups.size === 0) process.removeListener("exit", killRunning);
  };
}

function killRunning(): void {
  for (const group of runningGroups) signalGroup(group, "SIGKILL");
}

/** Catches the signals that would end this process, for a command that is about to be started. */
export function catchSignals() {
  let pass: (signal: EndingSignal) => void = (signal) => early.push(signal);
  const early: EndingSignal[] = [];
  const listeners = endingSignals.map((signal) => ({ signal, listener: () => pass(signal) }));
  for (const { signal, listener } of listeners) process.on(signal, listener);
  return {
    /** Passes them on to a command, those that came before it was started as well. */
    to(command: StartedCommand): void {
      pass = (signal) => passSignal(command, signal);
      early.forEach(pass);
    },
    /** Lets them end this process again. */
    end(): void {
      for (const { signal, listener } of listeners) process.removeListener(signal, listener);
    },
  };
}

/**
 * Ctrl-C reaches every process of the command, as from its terminal. The other signals reach the
 * command itself, which may pass them on: a process that gets one twice would end at once.
 */
function passSignal(command: StartedCommand, signal: EndingSignal): void {
  if (process.platform === "win32") void endTree(command);
  else if (signal === "SIGINT") sendSignal(-command.pid, signal);
  else sendSignal(command.pid, signal);
}

/** Ends a command that runs, and every process that it has started. */
export async function endTree({ pid }: StartedCommand): Promise<void> {
  if (process.platform === "win32") await runTool("taskkill", "/PID", String(pid), "/T", "/F");
  else await endGroups(await groupsOf(pid));
}

/**
 * Ends what a command that has ended has left running, such as a server of the suite, and waits for
 * the rest of the output.
 */
export async function endLeftovers({ pid, closed }: StartedCommand): Promise<void> {
  if (process.platform !== "win32") await endGroups([pid]);
  await withTimeout(endTime, closed, () => new Error("The output is still open.")).catch(() => {});
}

/** Asks processes to end, and ends those that go on by force. */
async function endGroups(groups: readonly number[]): Promise<void> {
  if (await signalUntilEnded(groups, "SIGTERM", graceTime)) return;
  await signalUntilEnded(groups, "SIGKILL", endTime);
}

/** Sends a signal once, and returns whether all processes have ended in time. */
async function signalUntilEnded(
  groups: readonly number[],
  signal: "SIGTERM" | "SIGKILL",
  milliseconds: number,
): Promise<boolean> {
  for (const group of groups) signalGroup(group, signal);
  const end = performance.now() + milliseconds;
  while (groups.some((group) => signalGroup(group, 0)) && await isAnyAlive(groups)) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
  return true;
}

/**
 * Returns whether any process of the groups still runs. A signal does not show that: a process that
 * has ended takes signals until its exit code is read, which may be never in a container.
 */
async function isAnyAlive(groups: readonly number[]): Promise<boolean> {
  const listed = await listProcesses();
  return listed.length === 0 || listed.some(({ group }) => groups.includes(group));
}

/** Returns the groups of a process and of its descendants, some of which may lead their own. */
async function groupsOf(pid: number): Promise<number[]> {
  const found = treeOf(pid, await listProcesses());
  return [...new Set([pid, ...found.map(({ group }) => group)])];
}

/** Lists the processes that have not ended; none where `ps` cannot be asked. */
async function listProcesses(): Promise<ListedProcess[]> {
  return parseProcesses(await runTool("ps", "-A", "-o", "pid=,ppid=,pgid=,stat=") ?? "");
}

export function treeOf(pid: number, all: readonly ListedProcess[]): ListedProcess[] {
  const pids = new Set([pid]);
  let before = 0;
  while (pids.size > before) {
    before = pids.size;
    for (const each of all) if (pids.has(each.parent)) pids.add(each.pid);
  }
  return all.filter((each) => pids.has(each.pid) || each.group === pid);
}

/** Parses what `ps` prints, without the processes that have ended. */
export function parseProcesses(text: string): ListedProcess[] {
  return [...text.matchAll(/^ *(\d+) +(\d+) +(\d+) +[^Z\s]/gm)]
    .map(([, pid, parent, group]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
    }));
}

/** Sends a signal to a group, and returns whether it still has a process; 0 only looks. */
function signalGroup(group: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  return sendSignal(-group, signal);
}

/** Sends a signal to a process, or to the group with that number below 0. */
function sendSignal(receiver: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and -1 would mean our own group, and every process.
  if (Math.abs(receiver) <= 1) return false;
  try {
    process.kill(receiver, signal);
    return true;
  } catch {
    return false;
  }
}
