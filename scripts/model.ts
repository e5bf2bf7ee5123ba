/**
 * Runs operations at the same time, in every order of their calls of the store, and looks for
 * broken promises.
 *
 *   deno task model [--size 2] [--limit N] [--late] [--store NAME] [--batches] [--seed N] [WORD …]
 *
 * A WORD selects the combinations with an operation whose name contains it, or is one combination,
 * as in "authorize + sign out". A combination with more schedules than the limit is sampled: as many
 * of its schedules are chosen at random. With --late, each write of one operation is given up and
 * happens after another operation has ended. In memory, the calls of a batch are single steps; with
 * --batches, a batch is one step, as on another store that has it.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { memoryStore } from "../src/server/store/memory.ts";
import { runLateWrites } from "../tests/model/late_writes.ts";
import type { Scenario } from "../tests/model/model_run.ts";
import type { Operation } from "../tests/model/operation.ts";
import { operationNamed, operations } from "../tests/model/operations.ts";
import {
  combinations,
  describeProblems,
  exploreScenario,
  sampleScenario,
  type ScenarioReport,
} from "../tests/model/scenarios.ts";
import { modelStores, reopen } from "../tests/model/stores.ts";
import { createRandom } from "./trials/numbers.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: "string", default: "2" },
    limit: { type: "string", default: "1000" },
    store: { type: "string", default: "memory" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
    late: { type: "boolean", default: false },
    batches: { type: "boolean", default: false },
  },
});

const limit = Number(values.limit);
const random = createRandom(Number(values.seed));
const totals = { combinations: 0, complete: 0, covered: 0, run: 0, problems: 0 };

await main();

async function main(): Promise<void> {
  const engine = modelStores.find(({ name }) => name === values.store);
  if (!engine) {
    throw new Error(`The stores are: ${modelStores.map(({ name }) => name).join(", ")}.`);
  }
  if (engine.missing) return console.log(`${engine.name}: skipped, ${engine.missing}`);
  const store = engine.name === "memory" ? undefined : await engine.open();
  const openStore = store ? reopen(store) : values.batches ? memoryStore : undefined;
  const started = performance.now();
  console.log("schedules | run | seconds | operations");
  for (const scenario of scenarios()) await report({ ...scenario, openStore });
  await store?.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const [covered, run] = [totals.covered, totals.run].map(numberOf);
  console.log(
    `${totals.combinations} combinations, ${totals.complete} of them completely: ${covered} ` +
      `schedules, by running ${run} in ${seconds} s, ${totals.problems} problems, ` +
      `--seed ${values.seed}`,
  );
  process.exit(totals.problems > 0 ? 1 : 0);
}

/** Returns what to run: each combination with everything that can go wrong, and repeated. */
function scenarios(): Scenario[] {
  const sizes = values.size.split(",").map(Number);
  const named = words.filter((word) => word.includes(" + "))
    .map((word) => word.split(" + ").map(operationNamed));
  const all = named.length > 0
    ? named
    : sizes.flatMap((size) => combinations(operations, size)).filter(isSelected);
  return all.flatMap(scenariosOf);
}

function isSelected(chosen: readonly Operation[]): boolean {
  return words.length === 0 ||
    words.some((word) => chosen.some(({ name }) => name.includes(word)));
}

/** The response of one operation may be lost, and its caller sends the request again. */
function scenariosOf(chosen: readonly Operation[]): Scenario[] {
  if (values.late) {
    return [chosen, chosen.toReversed()].map((operations) => ({ operations }));
  }
  const repeated = new Set(chosen.length <= 2 ? chosen : []);
  const repetitions = [...repeated].map((first) => ({
    operations: [first, ...chosen.toSpliced(chosen.indexOf(first), 1)],
    isFirstRepeated: true,
  }));
  return [{ operations: chosen, faults: ["dies", "fails", "is lost"] }, ...repetitions];
}

/** Runs the schedules of a combination, and prints a line. */
async function report(scenario: Scenario): Promise<void> {
  const started = performance.now();
  const result = await runSchedules(scenario);
  const { schedules, covered, complete, problems } = result;
  totals.combinations++;
  totals.complete += complete ? 1 : 0;
  totals.covered += covered;
  totals.run += schedules;
  totals.problems += problems.size;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${complete ? "" : "more than "}${numberOf(covered)} | ${numberOf(schedules)} | ${seconds} | ${
      titleOf(scenario)
    }`,
  );
  if (problems.size > 0) console.log(describeProblems(result));
}

/** Runs every schedule, or samples them if there are too many, or on a store that is not ours. */
async function runSchedules(scenario: Scenario): Promise<ScenarioReport> {
  if (values.late) return await runLateWrites(scenario);
  if (values.store !== "memory") return await sampleScenario(scenario, limit, random);
  const explored = await exploreScenario(scenario, limit);
  if (explored.complete || explored.problems.size > 0) return explored;
  const sampled = await sampleScenario(scenario, limit, random);
  return {
    ...sampled,
    schedules: explored.schedules + sampled.schedules,
    covered: explored.covered + sampled.covered,
  };
}

function titleOf({ operations, isFirstRepeated }: Scenario): string {
  const [first = "", ...others] = operations.map(({ name }) => name);
  return [isFirstRepeated ? `${first} twice` : first, ...others].join(" + ");
}

function numberOf(value: number): string {
  return value < 1e12 ? Math.round(value).toLocaleString("en") : value.toExponential(1);
}
