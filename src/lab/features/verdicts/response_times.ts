import { second } from "../../../server/util/time/duration.ts";

const least = 10 * second * 1000;

/** The responses of so many logins, or calls, show how slow an application or API is. */
const firstOnes = 3;

export type ResponseTimes = ReturnType<typeof createResponseTimes>;

/** Knows how long a response may take, in milliseconds: a slow machine gets more time. */
export function createResponseTimes(factor = 10) {
  let begun = 0;
  let slowest = 1000;
  return {
    /** Notes that another login begins, or another call. */
    begin: () => void (begun += 1),
    limit: () => Math.ceil(Math.max(least, factor * slowest)),
    /** Notes how long a response took. */
    add(milliseconds: number): void {
      if (begun <= firstOnes) slowest = Math.max(slowest, milliseconds);
    },
  };
}
