export type { RedirectStatusSetting } from "./config.ts";
