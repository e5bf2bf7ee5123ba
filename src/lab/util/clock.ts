import { type Duration, parseDuration } from "../../server/util/time/duration.ts";
import { withGetters } from "./getters.ts";
import { showValue } from "./json_values.ts";
import { LabError } from "./lab_error.ts";

const earliest = 0;
const latest = Date.UTC(9999, 11, 31);

/** The clock of a lab. It follows the clock of the machine until a test moves or stops it. */
export interface LabClock {
  /** Returns the time, in milliseconds since the epoch. */
  now(): number;
  /** Whether the clock is stopped. */
  readonly frozen: boolean;
  /** Stops the clock. */
  freeze(): void;
  /** Lets a stopped clock run on from the time that it shows. */
  run(): void;
  /** Sets the time: a `Date`, milliseconds, or text that `Date` can parse. */
  set(instant: number | string | Date): void;
  /** Moves the clock forward, or back if the duration begins with a minus sign: `"-5m"`. */
  advance(by: Duration | `-${string}`): void;
  /** Returns to the time of the machine. */
  reset(): void;
}

/** How a clock differs from the clock of the machine. */
export interface ClockState {
  offset: number;
  stoppedAt: number | undefined;
}

/** A clock that can return to an earlier difference from the clock of the machine. */
export interface RestorableClock extends LabClock {
  capture(): ClockState;
  restore(state: ClockState): void;
}

type ClockMembers = Omit<RestorableClock, "frozen">;

const clockGetters: Pick<LabClock, "frozen"> & ThisType<ClockMembers> = {
  get frozen() {
    return this.capture().stoppedAt !== undefined;
  },
};

/**
 * Creates a clock that asks the clock of the machine each time, so that the fake timers of a test
 * runner move it as well. `onMove` is called when a test moves or stops it.
 */
export function createClock(
  machine: () => number = () => Date.now(),
  onMove: () => void = () => {},
): RestorableClock {
  let offset = 0;
  let stoppedAt: number | undefined;
  const now = () => stoppedAt ?? machine() + offset;

  function moveTo(instant: number): void {
    if (!(instant >= earliest && instant <= latest)) {
      throw new LabError("The clock only shows times from the year 1970 to the year 9999.");
    }
    if (stoppedAt !== undefined) stoppedAt = instant;
    else offset = instant - machine();
    onMove();
  }

  return withGetters<ClockMembers, Pick<LabClock, "frozen">>({
    now,
    freeze() {
      stoppedAt = now();
      onMove();
    },
    run() {
      const instant = now();
      stoppedAt = undefined;
      moveTo(instant);
    },
    set: (instant) => moveTo(readInstant(instant)),
    advance: (by) => moveTo(now() + readSpan(by)),
    reset() {
      const isMoved = offset !== 0 || stoppedAt !== undefined;
      stoppedAt = undefined;
      offset = 0;
      if (isMoved) onMove();
    },
    capture: () => ({ offset, stoppedAt }),
    restore(state) {
      ({ offset, stoppedAt } = state);
      onMove();
    },
  }, clockGetters);
}

/** Reads an instant into milliseconds. */
export function readInstant(instant: unknown): number {
  const time = isDateLike(instant) ? new Date(instant).getTime() : NaN;
  if (!Number.isNaN(time)) return time;
  throw new LabError(
    `'${
      showValue(instant)
    }' is not a valid time. Use milliseconds, or text such as 2030-01-01T00:00:00Z.`,
  );
}

function isDateLike(value: unknown): value is number | string | Date {
  return typeof value === "number" || typeof value === "string" || value instanceof Date;
}

/** Reads a duration, which may be negative, into milliseconds. */
export function readSpan(by: unknown): number {
  const { sign, amount } = splitSign(by);
  const seconds = parseDuration(amount);
  if (seconds !== undefined) return sign * seconds * 1000;
  throw new LabError(
    `'${
      showValue(by)
    }' is not a valid duration. Use seconds, or text such as 500ms, 30s, 5m, 1h or 30d.`,
  );
}

function splitSign(by: unknown): { sign: 1 | -1; amount: unknown } {
  if (typeof by === "number" && by < 0) return { sign: -1, amount: -by };
  if (typeof by === "string" && by.startsWith("-")) return { sign: -1, amount: by.slice(1) };
  return { sign: 1, amount: by };
}
