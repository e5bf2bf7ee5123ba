/** Durations are in seconds, as everywhere in OAuth. */
export const second = 1;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The largest first. */
const unitNames: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [day, "day"],
  [hour, "hour"],
  [minute, "minute"],
  [second, "second"],
];

const units = { ms: second / 1000, s: second, m: minute, h: hour, d: day };

/** A number of seconds, or a text with its unit: `300`, `"5m"`, `"1h"`, `"30d"`, `"500ms"`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

/** Reads a duration in seconds. Returns undefined for anything else. */
export function parseDuration(duration: unknown): number | undefined {
  if (typeof duration === "number") {
    return Number.isFinite(duration) && duration >= 0 ? duration : undefined;
  }
  if (typeof duration !== "string") return undefined;
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration) ?? [];
  return amount === undefined ? undefined : Number(amount) * units[unit as keyof typeof units];
}

/** Formats a span of milliseconds with its largest unit: "6 minutes", "less than a second". */
export function describeSpan(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000;
  const unit = unitNames.find(([size]) => seconds >= size);
  if (!unit) return "less than a second";
  const [size, name] = unit;
  return counted(Math.round(seconds / size), name);
}

/** Formats a number with its noun: "1 rule", "2 rules". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
