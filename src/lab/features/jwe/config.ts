import type { Config } from "../../../server/features.ts";
import { olderAlgorithms } from "../../../server/features/jwe/config.ts";

/** Any library can be under test, so a lab that encrypts offers what older ones have, too. */
export function offersOlderEncryption(config: Config): Config {
  return config.jwe ? { jweAlgs: [...olderAlgorithms], ...config } : config;
}
