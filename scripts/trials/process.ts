import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { createDeferred, withTimeout } from "../../src/server/util/time/promises.ts";
import { commandFor } from "../../tests/support/program.ts";
import { bundle, optionalPackages } from "../bundle.ts";
import { binary } from "../downloads.ts";
import type { Usage } from "./probe.ts";

const probe = "scripts/trials/probe.ts";

/** How each runtime runs a file, with the probe loaded before it. */
const commands: Readonly<Record<string, (file: string) => Promise<string[]>>> = {
  async deno(file) {
    const [deno = "", run = "", ...args] = commandFor(file);
    return [deno, run, "--v8-flags=--expose-gc", "--preload", probe, ...args];
  },
  bun: async (file) => [await binary("bun@1"), "--preload", `./${probe}`, file],
  async node(file) {
    const program = file.endsWith(".ts") ? programForNode(file) : file;
    return [await binary("node@24"), "--expose-gc", "--import", `./${probe}`, program];
  },
};

/** The runtimes that a server under trial can run on. */
export const runtimes: readonly string[] = Object.keys(commands);

/** Our program: a package that was made already, or the sources. */
const ourProgram = process.env.HALLPASS_TEST_MAIN ?? "src/main.ts";

/** Returns the command that runs a file on a runtime: our program, or another server. */
export async function commandOn(runtime: string, file = ourProgram): Promise<string[]> {
  const command = commands[runtime];
  if (!command) throw new Error(`The runtime must be one of ${runtimes.join(", ")}.`);
  return await command(file);
}

/** Node cannot read JSX and runs a bundle. */
function programForNode(file: string): string {
  // In the project, so that the bundle finds the packages that only some stores need.
  const outfile = join(".build", "trials", basename(file).replace(/ts$/, "mjs"));
  bundle({ entryPoints: [file], outfile, external: [...optionalPackages] });
  return outfile;
}

/** A server in a process of its own, with the probe in it. It ends with this process. */
export interface ServerProcess {
  issuer: string;
  /** Where it listens. */
  port: number;
  /** Asks the probe for `/usage`, for `/memory` after a garbage collection, or to do something. */
  ask(path: string): Promise<Usage>;
  /** Returns how many rows the last sweep has deleted, if there was one since the last call. */
  takeLastSweep(): number | undefined;
  /** Ends the server, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** How long a start may take, in milliseconds: slow machines exist. */
const startTimeout = 5 * 60_000;

/** How many of the last lines are kept, for an error. */
const maxLines = 50;

/** Starts a server, and resolves when it is ready. Its log is read and not kept. */
export async function startProcess(
  [program = "", ...args]: readonly string[],
): Promise<ServerProcess> {
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  // By its id: on Deno, `child.kill` hides the exit code, and sends one signal only.
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, signal);
  };
  const killAtExit = () => kill("SIGKILL");
  process.once("exit", killAtExit);
  const lines: string[] = [];
  const [address, probePort] = [createDeferred<RegExpExecArray>(), createDeferred<string>()];
  const ended = once(child, "exit").then(([code]) => {
    process.off("exit", killAtExit);
    address.reject(new Error(`The server ended with exit code ${code}:\n${lines.join("\n")}`));
    return code as number | null;
  });
  let lastSweep: number | undefined;
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      const ready = /^\w+ ready (http\S+)(?: at (\S+))?/.exec(line);
      const [, probe] = /^probe ready (\d+)/.exec(line) ?? [];
      const [, rows] = / rows\.swept +rows=(\d+)/.exec(line) ?? [];
      if (ready) address.resolve(ready);
      if (probe !== undefined) probePort.resolve(probe);
      if (rows !== undefined) lastSweep = Number(rows);
      lines.push(line);
      if (lines.length > maxLines) lines.shift();
    });
  }
  const [[, issuer = "", url = issuer], probeAt] = await withTimeout(
    startTimeout,
    Promise.all([address.promise, probePort.promise]),
    () => {
      kill("SIGKILL");
      return new Error(`The server does not become ready:\n${lines.join("\n")}`);
    },
  );
  return {
    issuer,
    port: Number(new URL(url).port),
    ask: async (path) => await (await fetch(`http://127.0.0.1:${probeAt}${path}`)).json(),
    takeLastSweep() {
      const rows = lastSweep;
      lastSweep = undefined;
      return rows;
    },
    async stop(signal = "SIGTERM") {
      kill(signal);
      return await ended;
    },
  };
}
