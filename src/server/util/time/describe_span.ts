import { day, hour, minute, second } from "./duration.ts";

const units: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [day, "day"],
  [hour, "hour"],
  [minute, "minute"],
  [second, "second"],
];

/** Formats a span of milliseconds with its largest unit: "6 minutes", "less than a second". */
export function describeSpan(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000;
  const unit = units.find(([size]) => seconds >= size);
  if (!unit) return "less than a second";
  const [size, name] = unit;
  return counted(Math.round(seconds / size), name);
}

/** Formats a number with its noun: "1 rule", "2 rules". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
