/**
 * Keeps servers busy, on each runtime that this machine has: mixed load with flat memory, and
 * attacks beside which an honest user is served.
 *
 *   deno task soak [--minutes N] [--runtime NAME …] [--store STORE …] [--connections N]
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { inFolder } from "../../tests/support/folder.ts";
import { soakWithAttacks, soakWithLoad } from "./campaigns.ts";
import { runtimes } from "./runtimes.ts";
import type { SoakReport } from "./soak_report.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    runtime: { type: "string", multiple: true, default: Object.keys(runtimes) },
    store: { type: "string", multiple: true, default: ["memory", "sqlite"] },
    connections: { type: "string", default: "10000" },
  },
});

const [load = 0] = loadavg();
const cores = navigator.hardwareConcurrency;
const isBusy = load > cores / 2;
let problems = 0;

if (isBusy) {
  console.log(
    `This machine is busy (load ${load.toFixed(1)}, ${cores} cores): waits are not judged`,
  );
}
for (const runtime of values.runtime) {
  const command = await commandOf(runtime);
  if (!command) continue;
  for (const store of values.store) {
    await run(
      `${runtime}, ${store}: mixed load`,
      (folder) =>
        soakWithLoad({ command, folder, store: storeIn(folder, store) }, {
          minutes: Number(values.minutes),
        }),
    );
  }
  await run(
    `${runtime}: attacks`,
    (folder) =>
      soakWithAttacks(
        { command, folder, store: "memory" },
        { connections: Number(values.connections) },
        { isBusy },
      ),
  );
}
process.exit(problems > 0 ? 1 : 0);

/** Returns the command of a runtime, unless this machine has none and cannot get it. */
async function commandOf(runtime: string): Promise<string[] | undefined> {
  const command = runtimes[runtime];
  if (!command) throw new Error(`The runtime must be one of ${Object.keys(runtimes).join(", ")}.`);
  try {
    return await command();
  } catch (cause) {
    console.log(`${runtime}: skipped, ${cause}`);
    return undefined;
  }
}

function storeIn(folder: string, store: string): string {
  return store === "sqlite" ? `sqlite:${join(folder, "hallpass.db")}` : store;
}

async function run(title: string, soak: (folder: string) => Promise<SoakReport>): Promise<void> {
  const report = await inFolder(soak);
  console.log(title);
  for (const figure of report.figures) console.log(`  ${figure}`);
  for (const problem of report.problems) console.log(`  PROBLEM: ${problem}`);
  problems += report.problems.length;
}
