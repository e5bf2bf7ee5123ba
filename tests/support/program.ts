import { spawn } from "node:child_process";
import process from "node:process";
import deno from "../../deno.json" with { type: "json" };

/** A Hallpass that runs as a program of its own, on the same runtime as the test. */
export interface Program {
  /** What it says of itself once it really answers. */
  issuer: string;
  output(): string;
  /** Ends it, and says with which exit code; none after a signal that it cannot catch. */
  stop(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null>;
}

/** What `deno task start` lets the program do, and no more. */
const permissions = deno.tasks.start.command.split(" ").filter((flag) =>
  flag.startsWith("--allow-")
);

/** How this runtime runs one of our files. Node cannot read JSX, and gets the bundle that the test runner made. */
export function commandFor(file: string): string[] {
  if ("Deno" in globalThis) {
    return [process.execPath, "run", "--cached-only", ...permissions, "--no-check", file];
  }
  if ("Bun" in globalThis) return [process.execPath, file];
  return [process.execPath, file === "src/main.ts" ? process.env.HALLPASS_TEST_MAIN! : file];
}

/** Runs the program to its end: from its source, or as somebody built it. */
export async function runProgram(
  args: string[],
  env: Record<string, string> = {},
  input = "",
  command = commandFor("src/main.ts"),
): Promise<{ code: number | null; output: string }> {
  const child = launch(command, args, env, input);
  const code = await child.ended;
  return { code, output: child.output() };
}

/** Starts a server and waits until it says that it is ready. */
export async function startProgram(
  args: string[],
  env: Record<string, string> = {},
  command = commandFor("src/main.ts"),
): Promise<Program> {
  const child = launch(command, args, env);
  const issuer = await Promise.race([
    child.line(/^hallpass ready (\S+)$/m),
    child.ended.then((code) => {
      throw new Error(
        `The program ended with exit code ${code} before it was ready:\n${child.output()}`,
      );
    }),
  ]);
  return {
    issuer,
    output: child.output,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return child.ended;
    },
  };
}

function launch(
  [program, ...first]: string[],
  args: string[],
  env: Record<string, string>,
  input = "",
) {
  const child = spawn(program, [...first, ...args], {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  let output = "";
  const waiting: Array<() => void> = [];
  const take = (chunk: Uint8Array) => {
    output += new TextDecoder().decode(chunk);
    for (const look of waiting) look();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const late = setTimeout(() => process.kill(child.pid!, "SIGKILL"), 30_000);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve)).finally(() =>
    clearTimeout(late)
  );
  return {
    ended,
    output: () => output,
    // By its id: on Deno, `child.kill` hides the exit code.
    kill: (signal: NodeJS.Signals) => process.kill(child.pid!, signal),
    /** What the first matching line holds, as soon as it is there. */
    line: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const found = pattern.exec(output);
          if (found) resolve(found[1]);
        };
        waiting.push(look);
        look();
      }),
  };
}
