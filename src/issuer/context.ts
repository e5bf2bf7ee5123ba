import type { CookieJar } from "../http/cookies.ts";
import type { Metadata } from "../protocol/metadata.ts";
import type { Event } from "./events.ts";
import type { KeyRing } from "./key_ring.ts";
import type { Records } from "./records.ts";
import type { Settings } from "./settings.ts";
import type { Throttle } from "./throttle.ts";

/** What every part of a running server works with. Made once, and frozen; what belongs to one request is a local variable. */
export interface Context {
  readonly config: Settings;
  readonly metadata: Metadata;
  readonly records: Records;
  readonly keys: KeyRing;
  readonly cookies: CookieJar;
  readonly throttle: Throttle;
  /** Clears away expired rows, if it is time to. */
  readonly sweep: () => void;
  /** In milliseconds. */
  readonly now: () => number;
  readonly emit: (event: Event) => void;
}

/** The clock in seconds, as tokens tell the time (RFC 7519, section 2). */
export function numericDate(ctx: Pick<Context, "now">): number {
  return Math.floor(ctx.now() / 1000);
}

/** The instant, in milliseconds, that lies so many seconds ahead. */
export function after(ctx: Pick<Context, "now">, seconds: number): number {
  return ctx.now() + seconds * 1000;
}
