export type { AnyScopeSetting } from "./config.ts";
