import type { LanguageTag } from "../../../src/server/features/languages/config.ts";
import { languages } from "../../../src/server/features/languages/feature.ts";
import type { Language } from "../../../src/server/pages/languages/languages.ts";

/** Every language, with its texts. */
export const everyLanguage: Readonly<Record<LanguageTag, Language>> = {
  en: await languages.en.load(),
  de: await languages.de.load(),
  es: await languages.es.load(),
  ar: await languages.ar.load(),
};
