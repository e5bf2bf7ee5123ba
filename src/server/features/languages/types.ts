export type { LanguagesSetting, LanguageTag } from "./config.ts";
