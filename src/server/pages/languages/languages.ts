import { once } from "../../util/time/promises.ts";
import type { Words } from "./words.ts";

/** The languages of the pages, as language tags (RFC 5646). */
export type LanguageTag = "en" | "de" | "es" | "ar";

/** A language that pages are written in. `Texts` are those of the feature that a page belongs to. */
export interface Language<Texts = unknown> {
  /** The language tag, for the attribute `lang`. */
  tag: LanguageTag;
  /** The direction of the script, for the attribute `dir`. */
  direction: "ltr" | "rtl";
  /** The texts. */
  words: Words & Texts;
}

/** Loads each language with its texts, once: a server may never need most of them. */
const loaders: Readonly<Record<LanguageTag, () => Promise<Language>>> = {
  en: once(async () => ({ tag: "en", direction: "ltr", words: (await import("./en.ts")).en })),
  de: once(async () => ({ tag: "de", direction: "ltr", words: (await import("./de.ts")).de })),
  es: once(async () => ({ tag: "es", direction: "ltr", words: (await import("./es.ts")).es })),
  ar: once(async () => ({ tag: "ar", direction: "rtl", words: (await import("./ar.ts")).ar })),
};

/** Loads a language, with its texts. */
export function loadLanguage(tag: LanguageTag): Promise<Language> {
  return loaders[tag]();
}

/**
 * Chooses the first preferred language that is available, else the first available one. A preferred
 * `de-AT` matches `de` (RFC 4647, section 3.4).
 */
export function chooseLanguage(
  preferred: readonly string[],
  available: readonly LanguageTag[],
): LanguageTag {
  for (const range of preferred) {
    const primary = range.toLowerCase().split("-")[0];
    const tag = available.find((each) => each === primary);
    if (tag) return tag;
  }
  return available[0] ?? "en";
}
