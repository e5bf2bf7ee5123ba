import { minute } from "../../util/duration.ts";

/** A clock that goes on evenly while that of the system is set. */
export interface SteadyClock {
  /** Returns the time in milliseconds, as it follows from the last agreement. */
  now(): number;
  /** Takes over the time of the system, unless that was set. */
  agree(): void;
}

/** By how much two clocks drift apart at most between two sweeps, in milliseconds. */
const maxDrift = 1 * minute * 1000;

/**
 * Creates a clock that agrees with that of the system. Both times are in milliseconds; `elapsed`
 * tells what has passed since some moment.
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
