import type { Feature } from "../../feature.ts";
import { serverPart } from "../../issuer/part_of.ts";
import { second } from "../../util/time/duration.ts";
import { createCipher } from "./cipher.ts";
import { encryptionSettings } from "./config.ts";
import { createClientEncryption } from "./encrypt_clients.ts";

const encryptClients = serverPart(createClientEncryption);

/**
 * Keys and secrets are encrypted in the store. The core decides which texts are, and reads no
 * encrypted one without this feature.
 */
export const encryptionAtRest: Feature = {
  name: "encryption at rest",
  config: { server: encryptionSettings },
  cipher(settings) {
    const { secret } = encryptionSettings.of(settings);
    return secret === undefined ? undefined : createCipher(secret);
  },
  tasks: [{
    name: "encryption",
    interval: 30 * second * 1000,
    enabled: ({ encryption }) => encryption.isSecret,
    run: async (ctx) => await encryptClients(ctx)(ctx),
  }],
};
