import { setTimeout as delay } from "node:timers/promises";

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

/** Measures things in turns, so that what else the machine does meets all of them alike. */
export async function inTurns<Thing, Sample>(
  times: number,
  things: readonly Thing[],
  measure: (thing: Thing) => Promise<Sample>,
): Promise<Sample[][]> {
  const samples = things.map((): Sample[] => []);
  for (let count = 0; count < times; count++) {
    for (const [at, thing] of things.entries()) samples[at]?.push(await measure(thing));
  }
  return samples;
}

/** Returns the sum of numbers. */
export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns a condition that holds after some milliseconds. */
export function isAfter(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() >= end;
}

/** How an action is repeated. */
interface Repetition {
  /** Receives how often the action has begun. */
  isOver(count: number): boolean;
  /** How many do so at the same time. */
  workers?: number;
  /** How many milliseconds are between two beginnings of one worker. What is late stays late. */
  interval?: number;
}

/**
 * Repeats an action until that is over, at least once for each worker, and returns how many
 * milliseconds each time took.
 */
export async function repeat(
  act: (count: number, worker: number) => Promise<unknown>,
  { isOver, workers = 1, interval = 0 }: Repetition,
): Promise<number[]> {
  const times: number[] = [];
  let count = 0;
  const work = async (_: unknown, worker: number) => {
    if (interval > 0) await delay(interval * worker / workers);
    do {
      const start = performance.now();
      await act(count++, worker);
      const time = performance.now() - start;
      times.push(time);
      if (interval > 0) await delay(Math.max(0, interval - time));
    } while (!isOver(count));
  };
  await Promise.all(Array.from({ length: workers }, work));
  return times;
}
