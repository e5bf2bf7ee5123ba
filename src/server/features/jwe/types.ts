export type { ContentEncryption, JweClientConfig, JweConfig, OlderEncryption } from "./config.ts";
