import { settingsPart } from "../../config/feature_config.ts";
import settings from "./settings.json" with { type: "json" };

/** What protects the keys and secrets in the store. */
export interface EncryptionConfig {
  /**
   * Encrypts the signing keys, client secrets and waiting pings in the store. At least 32 random
   * characters.
   *
   * @format secret
   * @default none: plain text
   */
  secret?: string;
}

export const encryptionSettings = settingsPart<EncryptionConfig>(settings.EncryptionConfig);
