import { describeSpan } from "../../server/util/time/duration.ts";

/** Formats a time for people: "2026-11-21 00:44:57 UTC". */
export function formatInstant(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Says how far a time is from now: "in 5 minutes", "3 days ago", "now". */
export function describeDistance(milliseconds: number, now: number): string {
  const distance = milliseconds - now;
  if (Math.abs(distance) < 1000) return "now";
  return distance > 0 ? `in ${describeSpan(distance)}` : `${describeSpan(distance)} ago`;
}

/** Whether a number of milliseconds is a time that `Date` can show. */
export function isInstant(milliseconds: number): boolean {
  return !Number.isNaN(new Date(milliseconds).getTime());
}
