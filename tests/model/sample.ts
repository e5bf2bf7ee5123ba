import type { Random } from "../../scripts/crash/load.ts";
import type { Branch, ExploreOptions, Run } from "./explore.ts";

/**
 * Runs schedules that are chosen step by step at random. Returns an estimate of how many there are:
 * the mean of the products of the numbers of choices (D. Knuth, Estimating the Efficiency of
 * Backtrack Programs, 1975).
 */
export async function sample<R extends Run>(
  { start, finish, limit }: ExploreOptions<R>,
  random: Random,
): Promise<number> {
  let sum = 0;
  for (let schedules = 0; schedules < limit; schedules++) {
    const run = await start();
    const taken: Branch[] = [];
    let product = 1;
    while (true) {
      const choices = run.choices();
      const chosen = choices[Math.floor(random() * choices.length)];
      if (!chosen) break;
      product *= choices.length;
      taken.push({ choices, chosen, wanted: new Set(), asleep: [] });
      await run.take(chosen);
    }
    await finish(run, taken);
    sum += product;
  }
  return sum / limit;
}
