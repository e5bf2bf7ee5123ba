import { isObject } from "../../util/text/json.ts";
import { once } from "../../util/time/promises.ts";
import type { Words } from "./en.ts";

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

/** Texts in another language than English. Those that it lacks are shown in English. */
export type TranslatedTexts<Texts> = {
  readonly [Name in keyof Texts]?: Texts[Name] extends string ? string
    : TranslatedTexts<Texts[Name]>;
};

/** Loads the texts of a feature's pages: all in English, and what there is in other languages. */
export type TextLoaders<Texts> =
  & { readonly en: () => Promise<Texts> }
  & { readonly [tag: string]: () => Promise<TranslatedTexts<Texts>> };

/** Adds the texts of a feature to a language. */
export async function withTexts<Texts extends object>(
  language: Language,
  load: TextLoaders<Texts>,
): Promise<Language<Texts>> {
  const english = await load.en();
  // Each text has the name that it has in English.
  const texts = inEnglishElse(english, await load[language.tag]?.() ?? {}) as Texts;
  return { ...language, words: { ...language.words, ...texts } };
}

/** Returns the texts of a translation, and in English those that it lacks. */
function inEnglishElse(english: object, translation: object): object {
  const translated = new Map<string, unknown>(Object.entries(translation));
  const texts = Object.entries(english).map(([name, text]) => {
    const own = translated.get(name);
    return [name, isObject(text) ? inEnglishElse(text, isObject(own) ? own : {}) : own ?? text];
  });
  return Object.fromEntries(texts);
}
