export type { AnyUserSetting } from "./config.ts";
