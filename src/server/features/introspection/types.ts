export type { IntrospectionPaths } from "./config.ts";
