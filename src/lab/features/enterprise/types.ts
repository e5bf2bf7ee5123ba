export type { EnterpriseSetting } from "./config.ts";
