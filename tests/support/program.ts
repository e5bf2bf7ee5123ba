import { spawn } from "node:child_process";
import process from "node:process";
import deno from "../../deno.json" with { type: "json" };
import { hasErrorCode } from "../../src/server/util/text/error_message.ts";

/** The program in a process of its own, on the same runtime as the test. */
export interface Program extends AsyncDisposable {
  /** The issuer that it prints when it is ready. */
  issuer: string;
  /** Where it listens. */
  address: string;
  output(): string;
  /** Returns what it has printed, and forgets it. */
  takeOutput(): string;
  /** Returns the first group of the first match, as soon as the program has printed it. */
  line(pattern: RegExp): Promise<string>;
  /** Makes the process hang, or go on. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Stops the program and returns its exit code; null after a signal that it cannot catch. */
  stop(signal?: "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGUSR2"): Promise<number | null>;
}

/** When a process is killed unless a test says otherwise, in milliseconds. */
const defaultTimeout = 5 * 60_000;

/**
 * Returns how this runtime runs one of our files, on Deno with the permissions of a task. Node
 * cannot read JSX and runs a bundle.
 */
export function commandFor(file: string, task: string = deno.tasks.hallpass.command): string[] {
  if ("Deno" in globalThis) {
    // Deno looks after no `node_modules`: of two processes that do, one would print that it waits.
    const flags = ["--cached-only", "--node-modules-dir=manual", "--no-check"];
    const permissions = task.split(" ").filter((flag) => flag.startsWith("--allow-"));
    return [process.execPath, "run", ...flags, ...permissions, file];
  }
  if ("Bun" in globalThis) return [process.execPath, file];
  const bundle = process.env.HALLPASS_TEST_MAIN;
  return [process.execPath, file === "src/main.ts" && bundle ? bundle : file];
}

/** What a server prints when it is ready, in text or as a member of JSON. */
const readyLine = /^(?:\{.*")?\w+ ready (http[^\s"]+(?: at [^\s"]+)?)/m;

/** How many of the last characters that a program prints are kept: a server may log for hours. */
const maxOutput = 10_000_000;

/** What ends the programs that run. They end with this process. */
const running = new Set<(signal: NodeJS.Signals) => void>();
process.once("exit", () => running.forEach((kill) => kill("SIGKILL")));

/** Runs the program to its end, from its source or with another command. */
export async function runProgram(
  args: string[],
  env: Record<string, string> = {},
  input = "",
  command: string[] = commandFor("src/main.ts"),
): Promise<{ code: number | null; output: string }> {
  const child = launch(command, args, env, input);
  const code = await child.exitCode;
  return { code, output: child.output() };
}

/** Starts a server and waits until it is ready. */
export async function startProgram(
  args: string[],
  env: Record<string, string> = {},
  command: string[] = commandFor("src/main.ts"),
  timeout: number = defaultTimeout,
): Promise<Program> {
  const child = launch(command, args, env, "", timeout);
  const ready = await Promise.race([
    child.line(readyLine),
    child.exitCode.then((code) => {
      throw new Error(
        `The program ended with exit code ${code} before it was ready:\n${child.output()}`,
      );
    }),
  ]);
  const [issuer = "", address = issuer] = ready.split(" at ");
  const stop: Program["stop"] = (signal = "SIGTERM") => {
    child.kill(signal);
    return child.exitCode;
  };
  const { output, takeOutput, line, kill: signal } = child;
  const printed = { output, takeOutput, line };
  const dispose = async () => void await stop();
  return { issuer, address, ...printed, signal, stop, [Symbol.asyncDispose]: dispose };
}

/** A process of the program, which may never be ready. */
export interface LaunchedProgram extends Pick<Program, "output" | "takeOutput" | "line"> {
  exitCode: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the program, and does not wait for anything. */
export function launchProgram(
  args: string[],
  command: string[] = commandFor("src/main.ts"),
): LaunchedProgram {
  return launch(command, args, {});
}

/** A program may end before it has read its input. */
function passBrokenPipe(cause: Error): void {
  if (!hasErrorCode(cause, "EPIPE")) throw cause;
}

function launch(
  [program = "", ...firstArgs]: string[],
  args: string[],
  env: Record<string, string>,
  input = "",
  timeout: number = defaultTimeout,
): LaunchedProgram {
  // Errors go into the pipe of the output: of two pipes, the later line may be read first.
  const child = spawn("/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', program, ...firstArgs, ...args], {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.on("error", passBrokenPipe);
  child.stdin.end(input);
  let output = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    output += text;
    if (output.length > 2 * maxOutput) output = output.slice(-maxOutput);
    for (const listener of listeners) listener();
  });
  let ended = false;
  child.once("exit", () => ended = true);
  // By its id: on Deno, `child.kill` hides the exit code.
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid === undefined || ended) return;
    try {
      process.kill(child.pid, signal);
    } catch (cause) {
      // It has ended, and its exit was not reported yet.
      if (!hasErrorCode(cause, "ESRCH")) throw cause;
    }
  };
  running.add(kill);
  const timer = setTimeout(() => kill("SIGKILL"), timeout);
  const exitCode = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    exitCode: exitCode.finally(() => {
      clearTimeout(timer);
      running.delete(kill);
    }),
    output: () => output,
    takeOutput() {
      const taken = output;
      output = "";
      return taken;
    },
    kill,
    line: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const [, text] = pattern.exec(output) ?? [];
          if (text === undefined) return;
          listeners.delete(look);
          resolve(text);
        };
        listeners.add(look);
        look();
      }),
  };
}
