/** Describes the bounds of numbers and durations. */
import type { DurationSchema, NumberSchema } from "../../src/server/config/schema.ts";
import { day, hour, minute, second } from "../../src/server/util/time/duration.ts";

/** The longest duration that a setting without a maximum can have, in seconds. */
export const maxDuration = 36_500 * day;

const units = { d: day, h: hour, m: minute, s: second };

/** Describes what a value may be: " from 1s to 10m", " from 1 up", or nothing. */
export function boundsOf(schema: DurationSchema | NumberSchema): string {
  const { minimum, maximum } = schema;
  const text = schema.type === "duration" ? durationText : String;
  const hasMaximum = maximum !== undefined && maximum !== maxDuration;
  if (hasMaximum) return ` from ${text(minimum)} to ${text(maximum)}`;
  return minimum > 0 ? ` from ${text(minimum)} up` : "";
}

/** Writes seconds in the largest unit that divides them: "10m". */
function durationText(seconds: number): string {
  const [unit, length] = Object.entries(units).find(([, length]) => seconds % length === 0) ??
    ["s", second];
  return seconds === 0 ? "0s" : `${seconds / length}${unit}`;
}
