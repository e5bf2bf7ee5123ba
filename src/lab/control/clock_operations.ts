import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation } from "../core/operation.ts";
import { readInstant, readSpan } from "../util/clock.ts";
import { bodySchemas } from "./lab_schemas.ts";

/** The clock of a lab, as data. */
export interface LabTime {
  /** The time: `"2030-01-01T00:00:00.000Z"`. */
  now: string;
  /** Whether the clock is stopped. */
  frozen: boolean;
  /** When the process of the lab started, by the clock of its machine. */
  since: string;
}

/** How the clock changes. */
export interface ClockCall {
  /** The time: milliseconds, or text such as 2030-01-01T00:00:00Z. */
  set?: number | string | undefined;
  /**
   * Moves the clock forward; with a minus sign, back: -5m.
   *
   * @minimum -3153600000
   */
  advance?: number | string | undefined;
  /** Whether the clock is stopped. */
  freeze?: boolean | undefined;
}

export const clockOperations: readonly Operation[] = [
  operation("GET /clock", {
    name: "show-clock",
    summary: "Returns the time of the lab.",
    returns: "LabTime",
    run: labTime,
  }),
  operation("POST /clock", {
    name: "clock",
    page: { title: "Set the clock" },
    summary: "Moves, stops or starts the clock, and returns its time.",
    agents: "Use it to let codes, tokens and sessions expire: advance 1h. The application keeps " +
      "its own time: after a move, it may refuse a new login, until set or reset moves it back.",
    body: { name: "ClockCall", schema: bodySchemas.ClockCall },
    example: { body: { advance: "5m" } },
    returns: "LabTime",
    run: (lab, { body }) => moveClock(lab, body),
  }),
];

/** Moves the clock after everything has been read, so that a malformed member changes nothing. */
export function moveClock(lab: CoreLab, { set, advance, freeze }: ClockCall): LabTime {
  const instant = set === undefined ? lab.clock.now() : readInstant(set);
  const span = advance === undefined ? 0 : readSpan(advance);
  lab.clock.set(instant + span);
  if (freeze === true) {
    lab.clock.freeze();
    // The clock has run on since it was set.
    lab.clock.set(instant + span);
  }
  if (freeze === false) lab.clock.run();
  return labTime(lab);
}

export function labTime({ clock }: CoreLab): LabTime {
  return {
    now: new Date(clock.now()).toISOString(),
    frozen: clock.frozen,
    since: new Date(performance.timeOrigin).toISOString(),
  };
}
