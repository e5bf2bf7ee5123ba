import type { Settings } from "../config/settings.ts";
import { minute } from "../util/time/duration.ts";
import type { Records } from "./records/records.ts";
import type { Authorization } from "./records/rows.ts";

/** The maximum difference to the clock of the store or of another server, in milliseconds. */
export const maxClockDifference = 1 * minute * 1000;

/** A clock, in milliseconds. */
interface TimeSource {
  now: () => number;
}

interface LifetimeSource {
  settings: Pick<Settings, "lifetimes">;
}

/** What knows the store's clock. */
interface StoreClock {
  records: Pick<Records, "aheadOfStore">;
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

/** A comparison of this server's clock with the store's. */
export interface ClockComparison {
  /** How far this server's clock is ahead, in milliseconds. */
  ahead: number;
  /** Whether they differ too much to delete expired rows: other servers may still need them. */
  differs: boolean;
}

/** Compares this server's clock with the store's, if the store has one. */
export async function compareClocks({ records }: StoreClock): Promise<ClockComparison> {
  const ahead = await records.aheadOfStore();
  return { ahead, differs: !(Math.abs(ahead) <= maxClockDifference) };
}

/** Returns why the clocks are a problem, for the operator, or undefined if they agree. */
export async function findClockProblem(store: StoreClock): Promise<string | undefined> {
  const { ahead, differs } = await compareClocks(store);
  if (!differs) return undefined;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const direction = ahead > 0 ? "ahead of" : "behind";
  return `The clock of this server is ${seconds} seconds ${direction} its store's. It deletes ` +
    "nothing that has expired, and neither adds nor drops signing keys, until both agree.";
}
