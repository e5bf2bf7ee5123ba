export type { ResponseTypesSetting } from "./config.ts";
