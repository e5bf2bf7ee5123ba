/**
 * Kills servers and their stores, and looks for what they had acknowledged.
 *
 *   deno task crash [--rounds N] [--seed N] [--engine NAME]
 */
import { parseArgs } from "node:util";
import { createRandom } from "../trials/numbers.ts";
import { runTrials, type Trial } from "../trials/trial.ts";
import { trialStores } from "../trials/trial_stores.ts";
import { killFirstStart, killServer, killStore } from "./campaigns.ts";

const campaigns = {
  "the server is killed under load": killServer,
  "the server is killed during its first start": killFirstStart,
  "the store is killed under load": killStore,
};

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
    engine: { type: "string" },
  },
});
const rounds = Number(values.rounds);

console.log(`--seed ${values.seed}`);
await runTrials(trials());

function trials(): Trial[] {
  const names = trialStores.map(({ name }) => name);
  const { engine } = values;
  if (engine !== undefined && !names.includes(engine)) {
    throw new Error(`No engine is called '${engine}'; there are ${names.join(", ")}.`);
  }
  const chosen = trialStores.filter(({ name }) => name === (engine ?? name));
  return chosen.flatMap((store) =>
    Object.entries(campaigns)
      .filter(([, campaign]) => campaign !== killStore || store.hasProcess)
      .map(([title, campaign]): Trial => ({
        title: `${store.name}: ${title}`,
        skip: store.missing,
        async run(folder) {
          const random = createRandom(Number(values.seed));
          return await campaign(await store.open(folder), { rounds, random, folder });
        },
      }))
  );
}
