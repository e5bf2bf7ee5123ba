export type { DocumentsSetting } from "./config.ts";
