import {
  type Language,
  type LanguageTag,
  loadLanguage,
} from "../../src/server/pages/languages/languages.ts";

/** Every language, with its texts. */
export const languages: Readonly<Record<LanguageTag, Language>> = {
  en: await loadLanguage("en"),
  de: await loadLanguage("de"),
  es: await loadLanguage("es"),
  ar: await loadLanguage("ar"),
};
