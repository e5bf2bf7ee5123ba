import { day, type Duration, hour, minute, parseDuration } from "../util/duration.ts";

/** How long things last, in seconds. */
export interface Lifetimes {
  /** Default 5 minutes, at most 10. */
  code: number;
  /** How long a device waits for its person. Default 10 minutes. */
  deviceCode: number;
  /** Default 1 hour. */
  accessToken: number;
  /** Default 1 hour. */
  idToken: number;
  /** Default 30 days, from the first one on. */
  refreshToken: number;
  /** How long a refresh token may lie unused. Default: as long as it lives. */
  refreshIdle: number;
  /** Default 1 day. */
  session: number;
  /** How long a pushed authorization request can be begun. Default 5 minutes, less than 10. */
  pushedRequest: number;
  /** How long a person may take to sign in. Default 1 hour. */
  interaction: number;
  /** How long a client that registered itself may lie unused. Default 90 days. */
  unusedClient: number;
}

const defaultLifetimes: Lifetimes = {
  code: 5 * minute,
  deviceCode: 10 * minute,
  accessToken: 1 * hour,
  idToken: 1 * hour,
  refreshToken: 30 * day,
  refreshIdle: 30 * day,
  session: 1 * day,
  pushedRequest: 5 * minute,
  interaction: 1 * hour,
  unusedClient: 90 * day,
};

/** Fills in the defaults; a refresh token never lies unused for longer than it lives. */
export function fillLifetimes(given: Partial<Record<keyof Lifetimes, Duration>>): Lifetimes {
  const seconds = Object.entries(given).map((
    [name, value],
  ) => [name, Math.ceil(parseDuration(value) ?? 0)]);
  const lifetimes: Lifetimes = { ...defaultLifetimes, ...Object.fromEntries(seconds) };
  return { ...lifetimes, refreshIdle: Math.min(lifetimes.refreshIdle, lifetimes.refreshToken) };
}
