export type { BackchannelLogoutClientConfig } from "./config.ts";
