/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { day, hour, minute } from "../../util/time/duration.ts";
import type { Language } from "./languages.ts";

/** Shows a text whose placeholders are replaced by elements. */
export function Phrase({ text, parts }: {
  /** A text with placeholders: `Continue to {name}`. */
  text: string;
  /** What replaces each placeholder. */
  parts: Record<string, ComponentChildren>;
}): VNode {
  // Every second piece is the name of a placeholder.
  const pieces = text.split(/\{(\w+)\}/);
  return <>{pieces.map((piece, at) => at % 2 === 0 ? piece : parts[piece])}</>;
}

/** Lists entries as a sentence does: "a, b, and c". */
export function ListPhrase(
  { language, entries }: { language: Pick<Language, "tag">; entries: readonly ComponentChildren[] },
): VNode {
  const places = entries.map((_, at) => String(at));
  const parts = new Intl.ListFormat(language.tag).formatToParts(places);
  return <>{parts.map(({ type, value }) => type === "element" ? entries[Number(value)] : value)}</>;
}

type LanguageOf = Pick<Language, "tag">;

/** Formats a day, given as YYYY-MM-DD: "21 November 2026". */
export function formatDay({ tag }: LanguageOf, day: string): string {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(day));
}

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
