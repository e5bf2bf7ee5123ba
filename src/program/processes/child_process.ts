import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { UsageError } from "../terminal/exit_code.ts";
import { denoName } from "../terminal/own_name.ts";
import type { Environment } from "../terminal/terminal.ts";

/** How a command ended: with an exit code, or by a signal. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A command that was started, without a shell. */
export interface StartedCommand {
  pid: number;
  /** Resolves when the command has ended. */
  ended: Promise<ProcessEnd>;
}

/** Checks that Deno lets a command start programs. Such a command has its own task. */
export function checkMayStart(command: string): void {
  if (!("Deno" in globalThis)) return;
  const { state } = Deno.permissions.querySync({ name: "run" });
  if (state === "granted") return;
  throw new UsageError(
    "Deno does not let this task start other programs. Use the one that has this permission: " +
      `${denoName()} task ${command} …`,
  );
}

/**
 * Starts a command of the user, with our input and output. It leads a new process group, so that
 * all of its processes can be ended together.
 */
export async function startCommand(
  [program = "", ...args]: readonly string[],
  environment: Environment,
  cwd?: string,
): Promise<StartedCommand> {
  const child = spawn(program, args, {
    cwd,
    detached: true,
    windowsHide: true,
    env: { ...environment },
    stdio: "inherit",
  });
  const ended = new Promise<ProcessEnd>((resolve) =>
    void child.once("exit", (code, signal) => resolve({ code, signal }))
  );
  await Promise.race([once(child, "spawn"), failure(child)]);
  return { pid: child.pid ?? 0, ended };
}

/**
 * Returns the exit code of a shell for a command: 128 and the number of the signal that ended it.
 */
export function shellCodeOf({ code, signal }: ProcessEnd): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Runs a tool of the operating system, and returns what it prints, or undefined if it fails. */
export async function runTool(program: string, ...args: string[]): Promise<string | undefined> {
  try {
    const child = spawn(program, args, { windowsHide: true, stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => void (output += text));
    const closed = once<number | null>(child, "close");
    const code = await Promise.race([closed, failure(child)]);
    return code === 0 ? output : undefined;
  } catch {
    return undefined;
  }
}

function once<T>(child: ChildProcess, event: "spawn" | "close"): Promise<T> {
  return new Promise((resolve) => void child.once(event, resolve));
}

function failure(child: ChildProcess): Promise<never> {
  return new Promise((_resolve, reject) => void child.once("error", reject));
}
