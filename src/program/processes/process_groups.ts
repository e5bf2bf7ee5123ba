import process from "node:process";
import { runTool, type StartedCommand } from "./child_process.ts";

/** How long processes may take to end after they were asked to, in milliseconds. */
const graceTime = 3_000;
/** How long processes may take to end by force, in milliseconds. */
const endTime = 1_000;
/** The time between two checks whether processes have ended, in milliseconds. */
const interval = 20;

/** The signals with which a person, a terminal or a CI system ends a program. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type EndingSignal = typeof endingSignals[number];

/**
 * Notes that a command runs, so that it ends with this process, however that ends. Returns a
 * function that forgets it: another process may get its id.
 */
export function endWithThisProcess({ pid }: StartedCommand): () => void {
  const kill = () => void signalGroup(pid, "SIGKILL");
  process.once("exit", kill);
  return () => void process.removeListener("exit", kill);
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
  // Windows has no groups: this ends the command, and every process that it has started.
  if (process.platform === "win32") void runTool("taskkill", "/PID", `${command.pid}`, "/T", "/F");
  else if (signal === "SIGINT") sendSignal(-command.pid, signal);
  else sendSignal(command.pid, signal);
}

/**
 * Ends what a command that has ended has left running, such as a server of the suite: asks its
 * processes to end, and ends those that go on by force.
 */
export async function endLeftovers({ pid }: StartedCommand): Promise<void> {
  if (process.platform === "win32") return;
  if (await signalUntilEnded(pid, "SIGTERM", graceTime)) return;
  await signalUntilEnded(pid, "SIGKILL", endTime);
}

/** Sends a signal to a group once, and returns whether all of its processes have ended in time. */
async function signalUntilEnded(
  group: number,
  signal: "SIGTERM" | "SIGKILL",
  milliseconds: number,
): Promise<boolean> {
  signalGroup(group, signal);
  const end = performance.now() + milliseconds;
  while (signalGroup(group, 0) && await isAlive(group)) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
  return true;
}

/**
 * Returns whether any process of a group still runs. A signal does not show that: a process that
 * has ended takes signals until its exit code is read, which may be never in a container.
 */
async function isAlive(group: number): Promise<boolean> {
  const groups = parseGroups(await runTool("ps", "-A", "-o", "pgid=,stat=") ?? "");
  return groups.length === 0 || groups.includes(group);
}

/** Parses the groups of the processes that `ps` prints, without those that have ended. */
export function parseGroups(text: string): number[] {
  return [...text.matchAll(/^ *(\d+) +[^Z\s]/gm)].map(([, group]) => Number(group));
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
