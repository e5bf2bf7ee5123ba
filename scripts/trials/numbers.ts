/** Returns the next number of a series between 0 and 1. */
export type Random = () => number;

/** Creates a series of numbers that a seed repeats (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns how much the last third of the values is larger than the middle third, as a ratio. The
 * first third is left out: caches fill up, and code is compiled.
 */
export function growthOf(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  if (third === 0) throw new Error(`Growth needs three values, and there are ${values.length}.`);
  return medianOf(values.slice(-third)) / medianOf(values.slice(-2 * third, -third));
}

/** Returns the middle value; of two in the middle, the larger one. */
export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** Returns the value below which a share of the values is. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

/** Repeats an action until it is over, and returns how many milliseconds it takes: the median. */
export async function medianTime(
  act: () => Promise<unknown>,
  isOver: (count: number) => boolean,
): Promise<number> {
  const times: number[] = [];
  while (!isOver(times.length)) {
    const start = performance.now();
    await act();
    times.push(performance.now() - start);
  }
  return medianOf(times);
}
