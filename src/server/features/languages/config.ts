import { settingsPart } from "../../config/feature_config.ts";
import settings from "./settings.json" with { type: "json" };

/** The languages of the pages, as language tags (RFC 5646). */
export type LanguageTag = "en" | "de" | "es" | "ar";

/** The setting of the languages. */
export interface LanguagesSetting {
  /**
   * The languages of the pages. The first is for browsers that ask for none of them.
   *
   * @default ["en", "de", "es", "ar"]
   */
  languages?: LanguageTag[];
}

export const languagesSetting = settingsPart<Required<LanguagesSetting>>(settings.LanguagesSetting);
