import { hour, minute } from "../../util/time/duration.ts";

/** The maximum drift between the two clocks from one sweep to the next, in milliseconds. */
const maxDrift = 1 * minute * 1000;

/** How long a new time must last until it counts: the machine slept, or was set right. */
const settledAfter = 1 * hour * 1000;

/**
 * Creates a clock that agrees with the system clock, and runs evenly even if that is set. Both
 * arguments return milliseconds; `elapsed` counts from an arbitrary moment.
 */
export function createSteadyClock(
  systemTime: () => number,
  elapsed: () => number = () => performance.now(),
) {
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
    /** Returns the time in milliseconds, as it follows from the last agreement. */
    now(): number {
      settle(sinceStart());
      return start + elapsed();
    },
    /** Adopts the time of the system clock, unless that was set. */
    agree(): void {
      const latest = sinceStart();
      if (Math.abs(latest - start) <= maxDrift) start = latest;
    },
  };
}
