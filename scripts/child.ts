import { spawn } from "node:child_process";
import process from "node:process";
import deno from "../deno.json" with { type: "json" };

const minute = 60_000;

/** How a command ended. */
export interface CommandResult {
  /** The exit code; null if the process was killed. */
  code: number | null;
  output: string;
  timedOut: boolean;
}

export interface CommandOptions {
  /** When the process is killed, in milliseconds. */
  timeout: number;
  cwd?: string | undefined;
  env?: Record<string, string | undefined>;
  /** Called with each piece of output as it arrives. */
  onOutput?: ((text: string) => void) | undefined;
}

/** Runs a command in its own process group, so that none of its children outlives it. */
export function runCommand(
  [program = "", ...args]: readonly string[],
  { timeout, cwd, env, onOutput }: CommandOptions,
): Promise<CommandResult> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let timedOut = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      output += text;
      onOutput?.(text);
    });
  }
  const stop = () => {
    killGroup(child.pid);
    process.exit(130);
  };
  // Ctrl-C reaches only our own process group.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, timeout);
  return new Promise((resolve) => {
    const finish = (code: number | null) => {
      clearTimeout(timer);
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, stop);
      killGroup(child.pid);
      resolve({ code, output, timedOut });
    };
    child.on("error", (cause) => {
      output += cause;
      finish(null);
    });
    child.on("close", finish);
  });
}

/** Runs a command that must succeed, and returns its output. */
export async function succeed(
  command: readonly string[],
  cwd?: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { code, output } = await runCommand(command, { cwd, env, timeout: 10 * minute });
  if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}:\n${output}`);
  return output;
}

/** The TypeScript compiler, which npx fetches on demand. */
export const compiler: readonly string[] = ["npx", "-y", "-p", "typescript@7.0.2", "--", "tsc"];

/** Compiles a program with the command of `deno task compile`, and returns the file. */
export async function compile(
  outfile: string,
  source = "src/main.ts",
  flags: readonly string[] = [],
): Promise<string> {
  const words: Record<string, string> = { "src/main.ts": source, "dist/hallpass": outfile };
  const command = deno.tasks.compile.command.split(" ").map((word) => words[word] ?? word);
  await succeed([...command, ...flags]);
  return outfile;
}

/** Returns what runs a function as soon as fewer than `count` others run. */
export function createSlots(count: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = [];
  let free = count;
  return async (act) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended already.
  }
}
