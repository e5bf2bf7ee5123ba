export type { FrontchannelLogoutClientConfig } from "./config.ts";
