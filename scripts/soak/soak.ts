/**
 * Keeps servers busy, on each runtime that this machine has: mixed load with flat memory, and
 * attacks beside which an honest user is served.
 *
 *   deno task soak [--minutes N] [--runtime NAME …] [--store STORE …] [--connections N]
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { commandOn, runtimes } from "../trials/runtimes.ts";
import { runTrials, type Trial } from "../trials/trial.ts";
import { storeUrl } from "../trials/trial_stores.ts";
import { soakWithAttacks, soakWithLoad } from "./campaigns.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "2" },
    runtime: { type: "string", multiple: true, default: [...runtimes] },
    store: { type: "string", multiple: true, default: ["memory", "sqlite"] },
    connections: { type: "string", default: "10000" },
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
    for (const name of values.store) {
      yield {
        title: `${runtime}, ${name}: mixed load`,
        run: (folder) => soakWithLoad({ command, folder, store: storeUrl(name, folder) }, minutes),
      };
    }
    yield {
      title: `${runtime}: attacks`,
      run: (folder) =>
        soakWithAttacks({ command, folder, store: "memory" }, { connections }, { isBusy }),
    };
  }
}
