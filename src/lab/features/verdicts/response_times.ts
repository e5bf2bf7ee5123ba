import { second } from "../../../server/util/time/duration.ts";

const least = 10 * second * 1000;

/** So many times as long as the slowest of the first responses may each one take. */
const factor = 10;
const firstOnes = 3;

/** Knows how long a response may take, in milliseconds: a slow machine gets more time. */
export function createResponseTimes() {
  const first: number[] = [];
  return {
    limit: () => Math.max(least, factor * Math.max(0, ...first)),
    /** Notes how long a response took. */
    add(milliseconds: number): void {
      if (first.length < firstOnes) first.push(milliseconds);
    },
  };
}
