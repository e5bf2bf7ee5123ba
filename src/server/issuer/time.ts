import type { Settings } from "../config/settings.ts";
import type { Authorization } from "./records/rows.ts";

/** A clock, in milliseconds. */
interface TimeSource {
  now: () => number;
}

interface LifetimeSource {
  settings: Settings;
}

/** Returns the current time in seconds, as JWTs write it (RFC 7519, section 2). */
export function numericDate({ now }: TimeSource): number {
  return Math.floor(now() / 1000);
}

/** Returns the time that lies this many seconds ahead, in milliseconds, as rows store it. */
export function fromNow({ now }: TimeSource, seconds: number): number {
  return now() + seconds * 1000;
}

/** Returns the whole seconds that are left until a time given in milliseconds. */
export function secondsUntil({ now }: TimeSource, time: number): number {
  return Math.max(0, Math.floor((time - now()) / 1000));
}

/** Converts a time of a JWT to milliseconds. */
export function toMilliseconds(numericDate: number): number {
  return numericDate * 1000;
}

/** Returns when the last token that an authorization can yield expires, in milliseconds. */
export function lastTokenExpiration(
  { settings: { lifetimes } }: LifetimeSource,
  { issuingUntil }: Authorization,
): number {
  return issuingUntil + lifetimes.accessToken * 1000;
}

/** Returns when neither the session nor anything issued in it can be left, in milliseconds. */
export function lastSessionExpiration(ctx: TimeSource & LifetimeSource): number {
  const { session, refreshToken, accessToken } = ctx.settings.lifetimes;
  return fromNow(ctx, Math.max(session, refreshToken + accessToken));
}
