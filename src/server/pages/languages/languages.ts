import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import type { Words } from "./words.ts";

/** The languages of the pages, as language tags (RFC 5646). */
export type LanguageTag = "en" | "de" | "es" | "ar";

/** A language that pages are written in. */
export interface Language {
  /** The language tag, for the attribute `lang`. */
  tag: LanguageTag;
  /** The direction of the script, for the attribute `dir`. */
  direction: "ltr" | "rtl";
  /** The texts. */
  words: Words;
}

/** Every language, by its tag. */
export const languages: Readonly<Record<LanguageTag, Language>> = {
  en: { tag: "en", direction: "ltr", words: en },
  de: { tag: "de", direction: "ltr", words: de },
  es: { tag: "es", direction: "ltr", words: es },
  ar: { tag: "ar", direction: "rtl", words: ar },
};

/**
 * Chooses the first preferred language that is available, else the first available one. A preferred
 * `de-AT` matches `de` (RFC 4647, section 3.4).
 */
export function chooseLanguage(
  preferred: readonly string[],
  available: readonly LanguageTag[],
): Language {
  for (const range of preferred) {
    const primary = range.toLowerCase().split("-")[0];
    const tag = available.find((each) => each === primary);
    if (tag) return languages[tag];
  }
  return languages[available[0] ?? "en"];
}
