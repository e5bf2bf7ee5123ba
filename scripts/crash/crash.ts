/**
 * Kills servers and their stores, and looks for what they had acknowledged.
 *
 *   deno task crash [--rounds N] [--seed N] [--engine NAME]
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { inFolder } from "../../tests/support/folder.ts";
import { type Engine, engines } from "./engines.ts";
import { createRandom } from "./random.ts";
import {
  type CrashOptions,
  type CrashReport,
  killEngine,
  killFirstStart,
  killUnderLoad,
} from "./rounds.ts";

type Campaign = (engine: Engine, options: CrashOptions) => Promise<CrashReport>;

const campaigns: Record<string, Campaign> = {
  "the server is killed under load": killUnderLoad,
  "the server is killed during its first start": killFirstStart,
  "the store is killed under load": killEngine,
};

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
    engine: { type: "string" },
  },
});

let losses = 0;
for (const engine of engines) {
  if (values.engine !== undefined && values.engine !== engine.name) continue;
  for (const [title, campaign] of Object.entries(campaigns)) {
    if (campaign === killEngine && !engine.hasServer) continue;
    await run(`${engine.name}: ${title}`, engine, campaign);
  }
}
process.exit(losses > 0 ? 1 : 0);

async function run(title: string, engine: Engine, campaign: Campaign): Promise<void> {
  if (engine.missing) return console.log(`${title}: skipped, ${engine.missing}`);
  const random = createRandom(Number(values.seed));
  const rounds = Number(values.rounds);
  const report = await inFolder((folder) => campaign(engine, { rounds, random, folder }));
  losses += report.losses.length;
  const { acknowledged } = report;
  console.log(
    `${title}: ${report.rounds} rounds, ${acknowledged} acknowledged responses, ` +
      `${report.losses.length} losses, --seed ${values.seed}`,
  );
  for (const loss of report.losses) console.log(`  ${loss}`);
}
