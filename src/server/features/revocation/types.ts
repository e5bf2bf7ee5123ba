export type { RevocationPaths } from "./config.ts";
