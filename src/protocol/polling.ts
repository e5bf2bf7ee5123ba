/** How a device has asked for its answer so far. */
export interface PollingState {
  /** When it asked last, in milliseconds. */
  lastAt: number;
  /** How long it must wait before it asks again, in seconds. */
  interval: number;
}

/** How long a device waits between two questions, until it is told to slow down (RFC 8628, section 3.2). */
export const pollInterval = 5;

/** What a device that asks too early must add to its interval, for good (RFC 8628, section 3.5). */
const slowDownBy = 5;

/** Whether a device asks too early, and how it goes on. The first question may come at any time. */
export function poll(
  before: PollingState | undefined,
  now: number,
): { tooEarly: boolean; polling: PollingState } {
  const interval = before?.interval ?? pollInterval;
  const tooEarly = before !== undefined && now - before.lastAt < interval * 1000;
  return {
    tooEarly,
    polling: { lastAt: now, interval: tooEarly ? interval + slowDownBy : interval },
  };
}
