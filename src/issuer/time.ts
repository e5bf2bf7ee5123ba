/** A clock, in milliseconds. */
interface TimeSource {
  now: () => number;
}

/** The clock in seconds, as tokens tell the time (RFC 7519, section 2). */
export function numericDate({ now }: TimeSource): number {
  return Math.floor(now() / 1000);
}

/** The instant that lies so many seconds ahead, in milliseconds, as rows tell the time. */
export function after({ now }: TimeSource, seconds: number): number {
  return now() + seconds * 1000;
}

/** How many whole seconds are left until an instant. */
export function secondsUntil({ now }: TimeSource, instant: number): number {
  return Math.max(0, Math.floor((instant - now()) / 1000));
}

/** The instant, in milliseconds, of a time that a token tells. */
export function instantOf(numericDate: number): number {
  return numericDate * 1000;
}
