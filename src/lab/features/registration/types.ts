export type { AnySecretMethodSetting } from "./config.ts";
