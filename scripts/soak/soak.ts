/**
 * Keeps servers busy, on each runtime that this machine has: mixed load with flat memory, attacks
 * beside which an honest user is served, and more than a server can handle.
 *
 *   deno task soak [--minutes N] [--runtime NAME …] [--store STORE …] [--connections N]
 *                  [--only load|attacks|overload]
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { commandOn, runtimes } from "../trials/runtimes.ts";
import { runTrials, type Trial } from "../trials/trial.ts";
import { storeUrl } from "../trials/trial_stores.ts";
import { soakWithAttacks, soakWithLoad, soakWithOverload } from "./campaigns.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    runtime: { type: "string", multiple: true, default: [...runtimes] },
    store: { type: "string", multiple: true, default: ["memory", "sqlite"] },
    connections: { type: "string", default: "10000" },
    only: { type: "string", default: "" },
  },
});

const minutes = Number(values.minutes);
const connections = Number(values.connections);
const [load = 0] = loadavg();
const cores = availableParallelism();
const isBusy = load > cores / 2;

if (isBusy) {
  console.log(
    `This machine is busy (load ${load.toFixed(1)}, ${cores} cores): waits are not judged`,
  );
}
await runTrials(trials());

async function* trials(): AsyncGenerator<Trial> {
  for (const runtime of values.runtime) {
    let command: string[];
    try {
      command = await commandOn(runtime);
    } catch (cause) {
      console.log(`${runtime}: skipped, ${cause}`);
      continue;
    }
    for (const trial of trialsOf(runtime, command)) {
      if (trial.title.includes(values.only)) yield trial;
    }
  }
}

function trialsOf(runtime: string, command: readonly string[]): Trial[] {
  const inMemory = (folder: string) => ({ command, folder, store: "memory" });
  return [
    ...values.store.map((name): Trial => ({
      title: `${runtime}, ${name}: mixed load`,
      run: (folder) => soakWithLoad({ command, folder, store: storeUrl(name, folder) }, minutes),
    })),
    {
      title: `${runtime}: attacks`,
      run: (folder) => soakWithAttacks(inMemory(folder), { connections }, { isBusy }),
    },
    {
      title: `${runtime}: overload`,
      run: (folder) => soakWithOverload(inMemory(folder), { isBusy }),
    },
  ];
}
