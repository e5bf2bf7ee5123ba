export type { AnyGrantConfig, AnyGrantSetting } from "./config.ts";
