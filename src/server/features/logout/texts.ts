import type { TextLoaders } from "../../pages/languages/texts.ts";
import type { LogoutWords } from "./languages/words.ts";

/** Loads the texts of the page of a logout request. */
export const logoutTexts: TextLoaders<LogoutWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};
