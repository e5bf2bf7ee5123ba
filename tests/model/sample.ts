import type { Random } from "../../scripts/crash/load.ts";
import type { Choice } from "./choices.ts";
import type { ExploreOptions, Run } from "./explore.ts";

/** Runs schedules that are chosen step by step at random. */
export async function sample<R extends Run>(
  { start, finish, limit }: ExploreOptions<R>,
  random: Random,
): Promise<void> {
  for (let schedules = 0; schedules < limit; schedules++) {
    const run = await start();
    const taken: Choice[] = [];
    while (true) {
      const choices = run.choices();
      const choice = choices[Math.floor(random() * choices.length)];
      if (!choice) break;
      taken.push(choice);
      await run.take(choice);
    }
    await finish(run, taken);
  }
}
