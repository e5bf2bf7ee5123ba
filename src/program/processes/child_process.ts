import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
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
  /** Resolves when nothing can write to its output any more. */
  closed: Promise<unknown>;
  /** Returns the end of what it has printed. */
  output(): string;
}

/** How much output is kept, in characters; a report of tests may be part of it. */
const maxOutput = 16 * 1024 * 1024;

/**
 * Starts a command of the user. Either its output is kept, and it has no input, or both are ours.
 * It leads a new process group, so that all of its processes can be ended together.
 */
export async function startCommand(
  [program = "", ...args]: readonly string[],
  environment: Environment,
  output: "kept" | "shared",
  cwd?: string,
): Promise<StartedCommand> {
  const child = spawn(program, args, {
    cwd,
    detached: true,
    windowsHide: true,
    env: { ...environment },
    stdio: output === "kept" ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  const ended = new Promise<ProcessEnd>((resolve) =>
    void child.once("exit", (code, signal) => resolve({ code, signal }))
  );
  const closed = once(child, "close");
  const kept = createTail();
  collect(child.stdout, kept);
  collect(child.stderr, kept);
  await Promise.race([once(child, "spawn"), failure(child)]);
  return {
    pid: child.pid ?? 0,
    ended,
    closed,
    output: kept.text,
  };
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
    const output = createTail();
    collect(child.stdout, output);
    const closed = once<number | null>(child, "close");
    const code = await Promise.race([closed, failure(child)]);
    return code === 0 ? output.text() : undefined;
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

/** The end of a long text. */
type Tail = ReturnType<typeof createTail>;

function createTail() {
  let parts: string[] = [];
  let length = 0;
  return {
    add(text: string): void {
      parts.push(text);
      length += text.length;
      if (length <= 2 * maxOutput) return;
      parts = [parts.join("").slice(-maxOutput)];
      length = maxOutput;
    },
    text: () => parts.join(""),
  };
}

function collect(stream: ChildProcess["stdout"], tail: Tail): void {
  stream?.setEncoding("utf8");
  stream?.on("data", tail.add);
}
