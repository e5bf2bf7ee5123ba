/**
 * Gives every parser, rule and endpoint inputs that are almost valid, and looks for faults.
 *
 *   deno task fuzz [--minutes N] [--seed N] [WORD …]
 *
 * A WORD selects the targets whose name contains it.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import type { FuzzTarget } from "./fuzz_target.ts";
import { type FuzzFailure, runTarget } from "./run_target.ts";
import { startSocketServers } from "./socket_servers.ts";
import { targets } from "./targets/all_targets.ts";

const second = 1000;
const minute = 60 * second;

/** How long one target runs before it is the next one's turn. */
const turn = 2 * second;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "2" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});

const servers = await startSocketServers();
const chosen = [...targets, ...servers.targets].filter(({ name }) =>
  words.length === 0 || words.some((word) => name.includes(word))
);
const inputs = new Map(chosen.map(({ name }) => [name, 0]));
const failed = new Set<FuzzTarget>();

const end = Date.now() + Number(values.minutes) * minute;
console.log(`${chosen.length} targets, --seed ${values.seed}`);
try {
  for (let round = 0; Date.now() < end && failed.size < chosen.length; round++) {
    await runRound(Number(values.seed) + round);
  }
} finally {
  await servers.stop();
}
printCounts();
process.exit(failed.size > 0 ? 1 : 0);

async function runRound(seed: number): Promise<void> {
  for (const target of chosen.filter((each) => !failed.has(each))) {
    if (Date.now() >= end) return;
    const options = { seed, maxInputs: 1_000_000, timeLimit: turn, maxMilliseconds: second };
    const report = await runTarget(target, options);
    inputs.set(target.name, (inputs.get(target.name) ?? 0) + report.inputs);
    if (report.failure) printFailure(target, report.failure, seed);
  }
}

function printFailure(target: FuzzTarget, { input, problem }: FuzzFailure, seed: number): void {
  failed.add(target);
  console.log(`\n${target.name}: FAULT, --seed ${seed}\n${problem}`);
  const entry = JSON.stringify({ target: target.name, input });
  console.log(`For tests/corpora/once_failed.json:\n${entry}`);
}

function printCounts(): void {
  for (const [name, count] of inputs) {
    console.log(`${count.toLocaleString("en").padStart(12)}  ${name}`);
  }
  const total = [...inputs.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${total.toLocaleString("en")} inputs, ${failed.size} of ${chosen.length} targets with a fault`,
  );
}
