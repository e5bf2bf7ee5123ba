import type { Choice } from "./choices.ts";
import { judge } from "./judge.ts";
import { type Scenario, startRun } from "./model_run.ts";
import { type ScenarioReport, settingsOf } from "./scenarios.ts";
import { worldFor } from "./world.ts";

/**
 * Runs one schedule for each write of the first operation: it is given up, the other operations run
 * to their end, and then it happens. That is the order in which a late write can undo the most.
 */
export async function runLateWrites(scenario: Scenario): Promise<ScenarioReport> {
  const problems: ScenarioReport["problems"] = new Map();
  let schedules = 0;
  while (true) {
    const { late, found } = await runWithLateWrite(scenario, schedules);
    if (!late) return { schedules, covered: schedules, complete: true, problems };
    for (const problem of found) problems.set(problem, [late]);
    schedules++;
  }
}

/** Runs the schedule in which the nth write comes late, if there are as many. */
async function runWithLateWrite(scenario: Scenario, nth: number) {
  const world = await worldFor(settingsOf(scenario.operations));
  const run = await startRun({ ...scenario, faults: ["is late"] }, world);
  let late: string | undefined;
  let writes = 0;
  while (true) {
    const choices = run.choices();
    const fault = late ? undefined : choices.find(isGivenUp);
    const chosen = fault && writes++ === nth ? fault : nextStep(choices);
    if (!chosen) break;
    if (chosen.fault) late = chosen.key;
    await run.take(chosen);
  }
  const found = late ? await judge(run) : [];
  await run.store.close();
  return { late, found };
}

function isGivenUp({ actor, fault }: Choice): boolean {
  return actor === 0 && fault === "is late";
}

/** Takes the operations one after the other, and late calls at the end. */
function nextStep(choices: readonly Choice[]): Choice | undefined {
  const steps = choices.filter(({ fault }) => fault === undefined);
  const onTime = steps.filter(({ isLate }) => !isLate);
  return onTime.toSorted((one, other) => one.actor - other.actor)[0] ?? steps[0];
}
