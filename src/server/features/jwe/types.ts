export type { ContentEncryption, JweClientConfig, JweConfig } from "./config.ts";
