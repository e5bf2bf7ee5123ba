import { basename, join } from "node:path";
import process from "node:process";
import { day } from "../../src/server/util/time/duration.ts";
import { withTimeout } from "../../src/server/util/time/promises.ts";
import { commandFor, type Program, startProgram } from "../../tests/support/program.ts";
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

/** A server in a process of its own, with the probe in it. */
export interface ServerProcess extends Program {
  /** Where it listens. */
  port: number;
  /** Asks the probe for `/usage`, for `/memory` after a garbage collection, or to do something. */
  ask(path: string): Promise<Usage>;
}

/** How long a start may take, in milliseconds: slow machines exist. */
const startTimeout = 5 * 60_000;

/** The longest trial, in milliseconds. */
const longest = day * 1000;

/** Starts a server, and resolves when it is ready. */
export async function startProcess(command: readonly string[]): Promise<ServerProcess> {
  const createError = () => new Error(`${command.join(" ")} does not become ready.`);
  const starting = startProgram([], {}, [...command], longest);
  const program = await withTimeout(startTimeout, starting, createError);
  const probe = await program.line(/^probe ready (\d+)/m);
  return {
    ...program,
    port: Number(new URL(program.address).port),
    ask: async (path) => await (await fetch(`http://127.0.0.1:${probe}${path}`)).json(),
  };
}
