import { describeSpan, minute } from "../../server/util/time/duration.ts";

/**
 * Formats how much later something happened, in milliseconds: "6 minutes later". Returns undefined
 * for a pause that is too short to be drawn.
 */
export function describePause(milliseconds: number): string | undefined {
  if (Math.abs(milliseconds) < minute * 1000) return undefined;
  return `${describeSpan(milliseconds)} ${milliseconds < 0 ? "earlier" : "later"}`;
}
