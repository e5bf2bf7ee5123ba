import type { TextLoaders } from "../../pages/languages/texts.ts";
import type { DeviceFlowWords } from "./languages/words.ts";

/** Loads the texts of the device flow. */
export const deviceTexts: TextLoaders<DeviceFlowWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};
