import { type Duration, parseDuration } from "../../server/util/time/duration.ts";
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

/**
 * Creates a clock that asks the clock of the machine each time, so that the fake timers of a test
 * runner move it as well. `onMove` is called when a test moves or stops it.
 */
export function createClock(
  machine: () => number = () => Date.now(),
  onMove: () => void = () => {},
): RestorableClock {
  return new MovableClock(machine, onMove);
}

/** Its functions can be destructured. */
class MovableClock implements RestorableClock {
  #offset = 0;
  #stoppedAt: number | undefined;
  readonly #machine: () => number;
  readonly #onMove: () => void;

  constructor(machine: () => number, onMove: () => void) {
    this.#machine = machine;
    this.#onMove = onMove;
  }

  get frozen(): boolean {
    return this.#stoppedAt !== undefined;
  }

  readonly now = (): number => this.#stoppedAt ?? this.#machine() + this.#offset;

  readonly freeze = (): void => {
    this.#stoppedAt = this.now();
    this.#onMove();
  };

  readonly run = (): void => {
    const instant = this.now();
    this.#stoppedAt = undefined;
    this.#moveTo(instant);
  };

  readonly set = (instant: number | string | Date): void => this.#moveTo(readInstant(instant));

  readonly advance = (by: Duration | `-${string}`): void => this.#moveTo(this.now() + readSpan(by));

  readonly reset = (): void => {
    const isMoved = this.#offset !== 0 || this.#stoppedAt !== undefined;
    this.#stoppedAt = undefined;
    this.#offset = 0;
    if (isMoved) this.#onMove();
  };

  readonly capture = (): ClockState => ({ offset: this.#offset, stoppedAt: this.#stoppedAt });

  readonly restore = ({ offset, stoppedAt }: ClockState): void => {
    this.#offset = offset;
    this.#stoppedAt = stoppedAt;
    this.#onMove();
  };

  #moveTo(instant: number): void {
    if (!(instant >= earliest && instant <= latest)) {
      throw new LabError("The clock only shows times from the year 1970 to the year 9999.");
    }
    if (this.#stoppedAt !== undefined) this.#stoppedAt = instant;
    else this.#offset = instant - this.#machine();
    this.#onMove();
  }
}

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
