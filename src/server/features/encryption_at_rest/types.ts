export type { EncryptionConfig } from "./config.ts";
