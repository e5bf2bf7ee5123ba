import type { Feature } from "../../feature.ts";
import { english, type PageLanguage } from "../../pages/languages/languages.ts";
import { once } from "../../util/time/promises.ts";
import { type LanguagesSetting, languagesSetting, type LanguageTag } from "./config.ts";

/** Each language, with the texts of the core. A server may never need most of them. */
export const languages: Readonly<Record<LanguageTag, PageLanguage>> = {
  en: english,
  de: {
    tag: "de",
    load: once(async () => ({ tag: "de", direction: "ltr", words: (await import("./de.ts")).de })),
  },
  es: {
    tag: "es",
    load: once(async () => ({ tag: "es", direction: "ltr", words: (await import("./es.ts")).es })),
  },
  ar: {
    tag: "ar",
    load: once(async () => ({ tag: "ar", direction: "rtl", words: (await import("./ar.ts")).ar })),
  },
};

/** The pages are in the language of the user, and not in English alone. */
export const translations: Feature = {
  name: "languages",
  config: {
    server: {
      ...languagesSetting,
      sets: ({ languages: tags = [] }: LanguagesSetting) => ({
        languages: tags.map((tag) => languages[tag]),
      }),
    },
  },
};
