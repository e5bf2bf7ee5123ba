import type { Feature } from "../../feature.ts";
import { languagesSetting } from "./config.ts";
import { languages } from "./translations.ts";

/** The pages are in the language of the user, and not in English alone. */
export const translations: Feature = {
  name: "languages",
  config: {
    server: {
      ...languagesSetting,
      frame: (config) => ({
        languages: languagesSetting.of(config).languages.map((tag) => languages[tag]),
      }),
    },
  },
};
