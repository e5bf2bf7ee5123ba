import { minute } from "../../util/duration.ts";

/** A clock that runs evenly even if the system clock is set. */
export interface SteadyClock {
  /** Returns the time in milliseconds, as it follows from the last agreement. */
  now(): number;
  /** Adopts the time of the system clock, unless that was set. */
  agree(): void;
}

/** The maximum drift between the two clocks from one sweep to the next, in milliseconds. */
const maxDrift = 1 * minute * 1000;

/**
 * Creates a clock that agrees with the system clock. Both arguments return milliseconds; `elapsed`
 * counts from an arbitrary moment.
 */
export function createSteadyClock(
  systemTime: () => number,
  elapsed: () => number = () => performance.now(),
): SteadyClock {
  // What the system's clock showed when nothing had elapsed.
  let start = systemTime() - elapsed();
  return {
    now: () => start + elapsed(),
    agree() {
      const latest = systemTime() - elapsed();
      if (Math.abs(latest - start) <= maxDrift) start = latest;
    },
  };
}
