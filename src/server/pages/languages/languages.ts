import { once } from "../../util/time/promises.ts";
import type { Words } from "./words.ts";

/** A language that pages are written in. `Texts` are those of the feature that has the page. */
export interface Language<Texts = unknown> {
  /** The language tag, for the attribute `lang` (RFC 5646). */
  tag: string;
  /** The direction of the script, for the attribute `dir`. */
  direction: "ltr" | "rtl";
  /** The texts. */
  words: Words & Texts;
}

/** A language that loads, with its texts, when a page is first shown in it. */
export interface PageLanguage {
  readonly tag: string;
  readonly load: () => Promise<Language>;
}

/** The language that every server has. */
export const english: PageLanguage = {
  tag: "en",
  load: once(async () => ({ tag: "en", direction: "ltr", words: (await import("./en.ts")).en })),
};

/**
 * Chooses the first preferred language that is available, else the first available one. A preferred
 * `de-AT` matches `de` (RFC 4647, section 3.4).
 */
export function chooseLanguage(
  preferred: readonly string[],
  available: readonly PageLanguage[],
): PageLanguage {
  for (const range of preferred) {
    const primary = range.toLowerCase().split("-")[0];
    const language = available.find(({ tag }) => tag === primary);
    if (language) return language;
  }
  return available[0] ?? english;
}
