import { isObject } from "../../util/text/json.ts";
import type { Language } from "./languages.ts";

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
  const texts = inEnglishElse(english, await load[language.tag]?.());
  return { ...language, words: { ...language.words, ...texts } };
}

/** Returns the texts of a translation, and in English those that it lacks. */
export function inEnglishElse<Texts extends object>(
  english: Texts,
  translation: TranslatedTexts<Texts> = {},
): Texts {
  // Each text has the name that it has in English.
  return completed(english, translation) as Texts;
}

function completed(english: object, translation: object): object {
  const translated = new Map<string, unknown>(Object.entries(translation));
  const texts = Object.entries(english).map(([name, text]) => {
    const own = translated.get(name);
    return [name, isObject(text) ? completed(text, isObject(own) ? own : {}) : own ?? text];
  });
  return Object.fromEntries(texts);
}
