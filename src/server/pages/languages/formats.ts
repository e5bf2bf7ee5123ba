import { day, hour, minute } from "../../util/time/duration.ts";
import type { Language } from "./languages.ts";

type LanguageOf = Pick<Language, "tag">;

/** Formats a day, given as YYYY-MM-DD: "21 November 2026". */
export function formatDay({ tag }: LanguageOf, day: string): string {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(day));
}

/** Formats a number. */
export function formatNumber({ tag }: LanguageOf, number: number): string {
  return new Intl.NumberFormat(tag).format(number);
}

/** Formats how long ago something was, rounded down to a whole unit: "5 minutes ago", "now". */
export function formatAge({ tag }: LanguageOf, seconds: number): string {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  if (seconds < 1 * minute) return format.format(-Math.floor(seconds), "second");
  if (seconds < 1 * hour) return format.format(-Math.floor(seconds / minute), "minute");
  if (seconds < 2 * day) return format.format(-Math.floor(seconds / hour), "hour");
  return format.format(-Math.floor(seconds / day), "day");
}

/** Formats a time from now, rounded up to a whole unit: "in 5 minutes". */
export function formatDelay({ tag }: LanguageOf, seconds: number): string {
  const format = new Intl.RelativeTimeFormat(tag);
  if (seconds < 2 * minute) return format.format(Math.ceil(seconds), "second");
  if (seconds < 2 * hour) return format.format(Math.ceil(seconds / minute), "minute");
  return format.format(Math.ceil(seconds / hour), "hour");
}
