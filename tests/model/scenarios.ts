import type { Random } from "../../scripts/trials/numbers.ts";
import { countEquivalent } from "./equivalent_schedules.ts";
import { type Branch, type Exploration, explore, type ExploreOptions } from "./explore.ts";
import { judge } from "./judge.ts";
import { type ModelRun, type Scenario, startRun } from "./model_run.ts";
import type { Operation } from "./operation.ts";
import { sample } from "./sample.ts";
import type { ModelSettings } from "./server_node.ts";
import { worldFor } from "./world.ts";

/** What the schedules of a scenario have shown. */
export interface ScenarioReport extends Exploration {
  /** How many schedules are covered: those that were run, and those that are equivalent to one. */
  covered: number;
  /** Each problem once, with the first schedule that shows it. */
  problems: Map<string, readonly string[]>;
}

/** Runs every schedule of a scenario, up to a limit. */
export async function exploreScenario(scenario: Scenario, limit: number): Promise<ScenarioReport> {
  const problems: ScenarioReport["problems"] = new Map();
  const options = await optionsFor(scenario, problems, limit);
  let covered = 0;
  const exploration = await explore({
    ...options,
    async finish(run, branches) {
      covered += countEquivalent(branches);
      await options.finish(run, branches);
    },
  });
  return { ...exploration, covered, problems };
}

/** Runs some schedules of a scenario, chosen at random. */
export async function sampleScenario(
  scenario: Scenario,
  limit: number,
  random: Random,
): Promise<ScenarioReport> {
  const problems: ScenarioReport["problems"] = new Map();
  await sample(await optionsFor(scenario, problems, limit), random);
  return { schedules: limit, complete: false, covered: limit, problems };
}

/** Returns each problem, with the schedule that shows it, for messages. */
export function describeProblems({ problems }: ScenarioReport): string {
  return [...problems].map(([problem, schedule]) => `${problem}\n  ${schedule.join("\n  ")}`)
    .join("\n");
}

async function optionsFor(
  scenario: Scenario,
  problems: ScenarioReport["problems"],
  limit: number,
): Promise<ExploreOptions<ModelRun>> {
  const world = await worldFor(settingsOf(scenario.operations));
  return {
    limit,
    start: () => startRun(scenario, world),
    async finish(run, branches) {
      for (const problem of await judge(run)) {
        if (!problems.has(problem)) problems.set(problem, describe(scenario, branches));
      }
      await run.store.close();
    },
  };
}

/** Returns the settings with which all operations of a scenario make sense. */
export function settingsOf(operations: readonly Operation[]): ModelSettings {
  const settings = { grace: false, jwt: false };
  return Object.assign(settings, ...operations.map((operation) => operation.settings ?? {}));
}

/** Returns every set of operations of a size, with repetitions. */
export function combinations(operations: readonly Operation[], size: number): Operation[][] {
  if (size === 0) return [[]];
  return operations.flatMap((operation, at) =>
    combinations(operations.slice(at), size - 1).map((rest) => [operation, ...rest])
  );
}

function describe({ operations }: Scenario, branches: readonly Branch[]): string[] {
  return branches.map(({ chosen: { actor, key } }) => {
    const [, method, kind = ""] = key.split(" ");
    return `${operations[actor]?.name}: ${method} ${kind}`;
  });
}
