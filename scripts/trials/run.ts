/**
 * Tries servers: keeps them busy and attacks them (`soak`), or kills them and their stores and looks
 * for what they had acknowledged (`crash`).
 *
 *   deno task soak [--minutes N] [--runtime NAME]… [--store STORE]… [--connections N]
 *   deno task crash [--rounds N] [--seed N] [--engine NAME]
 *   deno task crash failover [--rounds N] [--seed N] [--engine NAME] [--alone MILLISECONDS]
 *
 * `--only TEXT` chooses trials by their titles, such as `mixed`, `attacks` or `overload`.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { failoverTrials, killTrials } from "./crash.ts";
import { createRandom } from "./numbers.ts";
import { commandOn, runtimes } from "./process.ts";
import { soakTrials } from "./soak.ts";
import { runTrials, type Trial } from "./trial.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    minutes: { type: "string", default: "2" },
    runtime: { type: "string", multiple: true, default: [...runtimes] },
    store: { type: "string", multiple: true, default: ["memory", "sqlite"] },
    connections: { type: "string", default: "10000" },
    rounds: { type: "string" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
    engine: { type: "string", default: "" },
    alone: { type: "string", default: "1500" },
  },
});

const campaigns: Readonly<Record<string, () => AsyncIterable<Trial> | Trial[]>> = {
  soak,
  crash: () => killTrials(crashOptions("20")),
  failover: () => failoverTrials(crashOptions("3")),
};

const name = positionals.at(-1) ?? "";
const campaign = campaigns[name];
if (!campaign) throw new Error(`No campaign is called '${name}'.`);
await runTrials(chosen(campaign()));

async function* chosen(trials: AsyncIterable<Trial> | Trial[]): AsyncGenerator<Trial> {
  for await (const trial of trials) {
    const { title } = trial;
    if (title.startsWith(values.engine) && title.includes(values.only)) yield trial;
  }
}

async function* soak(): AsyncGenerator<Trial> {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  const isBusy = load > cores / 2;
  if (isBusy) {
    const words = `load ${load.toFixed(1)}, ${cores} cores`;
    console.log(`This machine is busy (${words}): waits are not judged`);
  }
  const connections = [Number(values.connections), 1_000, 5_000] as const;
  const options = {
    ...{ minutes: Number(values.minutes), stores: values.store, connections },
    ...{ duration: 8_000, untilEnded: true, isBusy },
  };
  for (const runtime of values.runtime) {
    try {
      yield* soakTrials(runtime, await commandOn(runtime), options);
    } catch (cause) {
      console.log(`${runtime}: skipped, ${cause}`);
    }
  }
}

function crashOptions(rounds: string) {
  console.log(`--seed ${values.seed}`);
  const random = createRandom(Number(values.seed));
  return { rounds: Number(values.rounds ?? rounds), random, alone: Number(values.alone) };
}
