import type { Random } from "../../scripts/trials/numbers.ts";
import type { Choice } from "./choices.ts";
import type { Branch, ExploreOptions, Run } from "./explore.ts";

/** How often a step is a fault, where there can be one. Operations make ten to thirty calls. */
const faultRate = 1 / 15;

/** Runs schedules that are chosen step by step at random. */
export async function sample<R extends Run>(
  { start, finish, limit }: ExploreOptions<R>,
  random: Random,
): Promise<void> {
  for (let schedules = 0; schedules < limit; schedules++) {
    const run = await start();
    const taken: Branch[] = [];
    while (true) {
      const choices = run.choices();
      const chosen = randomChoice(choices, random);
      if (!chosen) break;
      taken.push({ choices, chosen, wanted: new Set(), asleep: [] });
      await run.take(chosen);
    }
    await finish(run, taken);
  }
}

function randomChoice(choices: readonly Choice[], random: Random): Choice | undefined {
  const isFaulty = random() < faultRate;
  const preferred = choices.filter(({ fault }) => (fault !== undefined) === isFaulty);
  const candidates = preferred.length > 0 ? preferred : choices;
  return candidates[Math.floor(random() * candidates.length)];
}
