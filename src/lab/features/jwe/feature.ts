import type { SealedText } from "../../../server/issuer/server_hooks.ts";
import { createBoundedMap, megabyte } from "../../../server/util/values/bounded_map.ts";
import type { LabFeature } from "../../feature.ts";
import { offersOlderEncryption } from "./config.ts";

const maxBytes = 4 * megabyte;

/**
 * Faults inside of what the server encrypts, and in how it does that. Only the client could decrypt
 * it, so the lab remembers what it encrypted for a while.
 */
export const encryption: LabFeature = {
  name: "encryption",
  serverSettings: offersOlderEncryption,
  open: () => ({
    serverHooks: () => ({
      sealedTexts: createBoundedMap<SealedText>(maxBytes),
      firstDecryptionKey: async (alg, id) =>
        (await import("./test_decryption_key.ts")).testDecryptionKey(alg, id),
    }),
  }),
};
