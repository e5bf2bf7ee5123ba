export type { ParLifetimes, ParPaths } from "./config.ts";
