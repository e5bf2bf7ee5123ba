import process from "node:process";
import { inFolder } from "../../tests/support/folder.ts";

/** What a trial has shown, in one line each. */
export interface TrialReport {
  figures: readonly string[];
  /** Why the server has not stood the trial. */
  problems: readonly string[];
}

/** Something that a server has to go through. */
export interface Trial {
  title: string;
  /** Why it cannot be tried here, or false. */
  skip?: string | false;
  /** Tries it, with an empty folder. */
  run(folder: string): Promise<TrialReport>;
}

/** Runs trials one after the other, prints what each has shown, and ends this process. */
export async function runTrials(trials: Iterable<Trial> | AsyncIterable<Trial>): Promise<never> {
  // The servers end with this process, however it ends.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => process.exit(130));
  }
  let failed = false;
  for await (const { title, skip = false, run } of trials) {
    console.log(skip === false ? title : `${title}: skipped, ${skip}`);
    if (skip !== false) continue;
    const { figures, problems } = await inFolder(run);
    for (const figure of figures) console.log(`  ${figure}`);
    for (const problem of problems) console.log(`  PROBLEM: ${problem}`);
    failed ||= problems.length > 0;
  }
  process.exit(failed ? 1 : 0);
}

/** Returns each sentence once, with how often it came. */
export function countAlike(sentences: readonly string[]): string[] {
  return [...Map.groupBy(sentences, (sentence) => sentence)].map(([sentence, { length }]) =>
    length === 1 ? sentence : `${length} × ${sentence}`
  );
}
