import type { ClientConfig } from "../../../server/features.ts";
import { choiceOf, type EncryptedKind } from "../../../server/features/jwe/config.ts";
import type { DrillVariant } from "../drill/variants/drill_variant.ts";

const validation = "OpenID Connect Core, section 3.1.3.7";
const userinfo = "OpenID Connect Core, section 5.3.4";
const jarm = "JARM, section 2.4";

/** What can be wrong with what a client gets encrypted, by the setting that asks for it. */
const variantsOf: Partial<Record<EncryptedKind, readonly DrillVariant[]>> = {
  idToken: [
    // "The RP SHOULD reject it."
    { fault: "id_token.unencrypted", expectation: "either", see: validation },
    {
      fault: "id_token.encrypted_unsigned",
      expectation: "refuse",
      see: "OpenID Connect Core, section 10.2",
    },
    { fault: "id_token.encrypted_for_other_key", expectation: "refuse", see: validation },
    { fault: "id_token.wrong_encryption_alg", expectation: "refuse", see: validation },
    { fault: "id_token.wrong_encryption_enc", expectation: "refuse", see: validation },
    // The advice is for those that encrypt.
    { fault: "id_token.compressed", expectation: "either", see: "RFC 8725, section 3.6" },
  ],
  userinfo: [
    { fault: "userinfo.unencrypted", expectation: "either", see: userinfo },
    // Inner operations must be validated, too.
    { fault: "userinfo.encrypted_unsigned", expectation: "refuse", see: "RFC 8725, section 3.3" },
  ],
  authorizationResponse: [
    { fault: "jarm.unencrypted", expectation: "either", see: jarm },
    { fault: "jarm.encrypted_unsigned", expectation: "refuse", see: jarm },
  ],
};

/** Returns what can go wrong at a server that encrypts something for one of these clients. */
export function encryptionVariantsFor(
  clients: readonly ClientConfig[],
): readonly DrillVariant[] {
  return Object.entries(variantsOf).flatMap(([kind, variants]) =>
    clients.some((client) => choiceOf(client, kind as EncryptedKind).alg !== undefined)
      ? variants
      : []
  );
}
