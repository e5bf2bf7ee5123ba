import { hour, minute } from "../../util/time/duration.ts";

/** A clock that runs evenly even if the system clock is set. */
export interface SteadyClock {
  /** Returns the time in milliseconds, as it follows from the last agreement. */
  now(): number;
  /** Adopts the time of the system clock, unless that was set. */
  agree(): void;
}

/** The maximum drift between the two clocks from one sweep to the next, in milliseconds. */
const maxDrift = 1 * minute * 1000;

/** How long a new time must last until it counts: the machine slept, or was set right. */
const settledAfter = 1 * hour * 1000;

/**
 * Creates a clock that agrees with the system clock. Both arguments return milliseconds; `elapsed`
 * counts from an arbitrary moment.
 */
export function createSteadyClock(
  systemTime: () => number,
  elapsed: () => number = () => performance.now(),
): SteadyClock {
  const sinceStart = () => systemTime() - elapsed();
  // What the system clock showed when nothing had elapsed.
  let start = sinceStart();
  /** The start that follows from a clock that was set, and when that was noticed. */
  let set: { start: number; at: number } | undefined;

  /** Adopts the time of a clock that was set, once it has lasted. */
  function settle(latest: number): void {
    if (Math.abs(latest - start) <= maxDrift) set = undefined;
    else if (!set || Math.abs(latest - set.start) > maxDrift) {
      set = { start: latest, at: elapsed() };
    } else if (elapsed() - set.at >= settledAfter) start = latest;
  }

  return {
    now() {
      settle(sinceStart());
      return start + elapsed();
    },
    agree() {
      const latest = sinceStart();
      if (Math.abs(latest - start) <= maxDrift) start = latest;
    },
  };
}
