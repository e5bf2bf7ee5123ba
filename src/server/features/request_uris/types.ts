export type { RequestUrisClientConfig, RequestUrisSetting } from "./config.ts";
