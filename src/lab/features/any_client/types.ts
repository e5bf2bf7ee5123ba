export type { AnyClientSetting } from "./config.ts";
