import process from "node:process";

/** The number of the day whose turn it is; undefined where nothing is left out. */
const today = process.env.HALLPASS_TEST_DAY;

/**
 * Returns which cases run today: of those that rarely fail alone, a release has some on each day.
 * Any other run has all.
 */
export function casesOfToday<T>(cases: readonly T[], count = 1, day = Number(today)): T[] {
  if (Number.isNaN(day)) return [...cases];
  const first = day * count;
  return cases.filter((_, at) => (at - first % cases.length + cases.length) % cases.length < count);
}
