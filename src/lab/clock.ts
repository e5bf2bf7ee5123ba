import { type Duration, parseDuration } from "../util/duration.ts";
import { LabError } from "./lab_error.ts";

const earliest = 0;
const latest = Date.UTC(9999, 11, 31);

/** The time of a lab: that of the machine, until somebody moves or stops it. */
export interface LabClock {
  /** In milliseconds. */
  now(): number;
  /** Whether it stands still. */
  readonly frozen: boolean;
  /** Stops the clock where it stands. */
  freeze(): void;
  /** Lets it run on from where it stands. */
  run(): void;
  /** Puts it to an instant: milliseconds, or a text that Date can read. */
  set(instant: number | string | Date): void;
  /** Puts it forward; back with a minus: "-5m". */
  advance(by: Duration | `-${string}`): void;
  /** Puts it back to the time of the machine. */
  reset(): void;
}

/** The machine's clock is asked each time, so that a test runner's fake timers move this one along. Whoever moves or stops it is told of. */
export function createClock(
  machine: () => number = () => Date.now(),
  onMove: () => void = () => {},
): LabClock {
  let ahead = 0;
  let stoppedAt: number | undefined;
  const now = () => stoppedAt ?? machine() + ahead;

  function moveTo(instant: number): void {
    if (!(instant >= earliest && instant <= latest)) {
      throw new LabError("The clock goes from the year 1970 to the year 9999.");
    }
    if (stoppedAt !== undefined) stoppedAt = instant;
    else ahead = instant - machine();
    onMove();
  }

  return {
    now,
    get frozen() {
      return stoppedAt !== undefined;
    },
    freeze: () => {
      stoppedAt = now();
      onMove();
    },
    run: () => {
      const from = now();
      stoppedAt = undefined;
      moveTo(from);
    },
    set: (instant) => moveTo(readInstant(instant)),
    advance: (by) => moveTo(now() + readSpan(by)),
    reset: () => {
      stoppedAt = undefined;
      ahead = 0;
    },
  };
}

/** Reads an instant into milliseconds. */
export function readInstant(instant: unknown): number {
  const time = typeof instant === "number" || typeof instant === "string" || instant instanceof Date
    ? new Date(instant).getTime()
    : NaN;
  if (Number.isNaN(time)) {
    throw new LabError(
      `'${
        String(instant)
      }' is no instant; write milliseconds, or a text such as 2030-01-01T00:00:00Z.`,
    );
  }
  return time;
}

/** Reads a duration that may be negative, into milliseconds. */
export function readSpan(by: unknown): number {
  const backwards = typeof by === "string" && by.startsWith("-") ||
    typeof by === "number" && by < 0;
  const seconds = parseDuration(
    typeof by === "number" ? Math.abs(by) : typeof by === "string" && backwards ? by.slice(1) : by,
  );
  if (seconds === undefined) {
    throw new LabError(
      `'${String(by)}' is no duration; write seconds, or a text such as 500ms, 30s, 5m, 1h, 30d.`,
    );
  }
  return (backwards ? -seconds : seconds) * 1000;
}
