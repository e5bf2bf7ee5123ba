import { second } from "../../util/time/duration.ts";

/** How long a device waits between two polls at first, in seconds (RFC 8628, section 3.2). */
export const pollInterval = 5 * second;

/** What each early poll adds to the interval, permanently (RFC 8628, section 3.5). */
const slowDownStep = 5 * second;

/** The polls of a device so far. */
export interface PollingState {
  /** The time of the last poll, in milliseconds. */
  lastAt: number;
  /** In seconds. */
  interval: number;
}

/** A poll, and the polls so far with it. */
export interface Poll {
  tooEarly: boolean;
  polling: PollingState;
}

/** Records a poll, and returns whether it came too early. The first poll may come at any time. */
export function recordPoll(previous: PollingState | undefined, now: number): Poll {
  const interval = previous?.interval ?? pollInterval;
  const tooEarly = previous !== undefined && now - previous.lastAt < interval * 1000;
  const nextInterval = tooEarly ? interval + slowDownStep : interval;
  return { tooEarly, polling: { lastAt: now, interval: nextInterval } };
}
