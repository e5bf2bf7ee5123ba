import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { runCommand } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { call, type MeasuredLab } from "./measured_lab.ts";
import { findPort, type RunningProcess, startProcess, untilItResponds } from "./processes.ts";

/** Runs at the same time do not share it: each builds what its sources are now. */
const work = `.build/corpus-${process.pid}`;
const folder = `${work}/node_modules/hallpass`;

process.once("exit", () => rmSync(work, { recursive: true, force: true }));

let built: Promise<string> | undefined;

/** Builds the package, which another process runs, unless there is one. Returns its folder. */
export function buildPackage(): Promise<string> {
  const given = process.env.HALLPASS_TEST_PACKAGE;
  return built ??= given === undefined ? build() : Promise.resolve(resolve(given));
}

async function build(): Promise<string> {
  const flags = ["--cached-only", "--allow-all", "--no-check"];
  const command = [process.execPath, "run", ...flags, "scripts/build.ts", folder, "--no-types"];
  const { code, output } = await runCommand(command, { timeout: 300_000 });
  if (code !== 0 || !existsSync(`${folder}/main.mjs`)) {
    throw new Error(`Cannot build the package: ${output}`);
  }
  return resolve(folder);
}

/** A lab in a process of its own. */
export interface ProgramLab extends MeasuredLab {
  started: RunningProcess;
}

/** Starts a lab as people install it: the package, on Node. */
export async function openProgramLab(options: readonly string[] = []): Promise<ProgramLab> {
  const main = join(await buildPackage(), "main.mjs");
  const port = await findPort();
  const issuer = `http://localhost:${port}`;
  const command = [await binary("node@24"), main, "lab", "--port", String(port)];
  const started = startProcess([...command, ...options]);
  try {
    await untilItResponds(`${issuer}/lab/clock`, started, 60);
  } catch (cause) {
    await started[Symbol.asyncDispose]();
    throw cause;
  }
  return {
    issuer,
    started,
    fetch: (request) => fetch(request),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}

/** Registers a client. */
export async function putClient(lab: MeasuredLab, client: { id: string }): Promise<void> {
  const { error, error_description } = await call(lab, `PUT /clients/${client.id}`, client);
  if (error !== undefined) throw new Error(`${error}: ${error_description}`);
}
