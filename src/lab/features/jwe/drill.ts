import type { ClientConfig } from "../../../server/features.ts";
import { choiceOf, type EncryptedKind } from "../../../server/features/jwe/config.ts";
import { type DrillVariant, either, refuse } from "../drill/variants/drill_variant.ts";
import { ofIdTokens, ofResponses, ofTokens } from "../drill/variants/sentences.ts";

const compression = {
  see: "RFC 8725, section 3.6",
  why: "Compression of data SHOULD NOT be done before encryption.",
  binds: "server",
} as const;

const inner = {
  see: "RFC 8725, section 3.3",
  why:
    "All cryptographic operations used in the JWT MUST be validated and the entire JWT MUST be " +
    "rejected if any of them fail to validate.",
  binds: "client",
} as const;

/** What can be wrong with what a client gets encrypted, by the setting that asks for it. */
const variantsOf: Partial<Record<EncryptedKind, readonly DrillVariant[]>> = {
  idToken: [
    ...either(ofIdTokens.encrypted, ["id_token.unencrypted"]),
    ...refuse("rule", ofIdTokens.nested, ["id_token.encrypted_unsigned"]),
    ...refuse("rule", inner, ["id_token.encrypted_for_other_key"]),
    ...refuse("rule", ofTokens.algorithm, [
      "id_token.wrong_encryption_alg",
      "id_token.wrong_encryption_enc",
    ]),
    // The advice is for those that encrypt.
    ...either(compression, ["id_token.compressed"]),
  ],
  userinfo: [
    ...either(ofTokens.signature, ["userinfo.unencrypted"]),
    ...refuse("rule", inner, ["userinfo.encrypted_unsigned"]),
  ],
  authorizationResponse: [
    ...either(ofResponses.jarm, ["jarm.unencrypted"]),
    ...refuse("attack", ofResponses.jarm, ["jarm.encrypted_unsigned"]),
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
