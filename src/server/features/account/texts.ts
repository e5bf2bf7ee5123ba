import type { TextLoaders } from "../../pages/languages/texts.ts";
import type { AccountPageWords } from "./languages/words.ts";

/** Loads the texts of the account pages. */
export const accountTexts: TextLoaders<AccountPageWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};
