import type { ClientConfig } from "../../../server/features.ts";
import { choiceOf, type EncryptedKind } from "../../../server/features/jwe/config.ts";
import { type DrillVariant, either, refuse } from "../drill/variants/drill_variant.ts";

/** What can be wrong with what a client gets encrypted, by the setting that asks for it. */
const variantsOf: Partial<Record<EncryptedKind, readonly DrillVariant[]>> = {
  idToken: [
    ...either("idTokenEncrypted", ["id_token.unencrypted"]),
    ...refuse("rule", "nestedJwt", ["id_token.encrypted_unsigned"]),
    ...refuse("rule", "everyOperation", ["id_token.encrypted_for_other_key"]),
    ...refuse("rule", "signedAlg", [
      "id_token.wrong_encryption_alg",
      "id_token.wrong_encryption_enc",
    ]),
    // The advice is for those that encrypt.
    ...either("compression", ["id_token.compressed"]),
  ],
  userinfo: [
    ...either("userinfoSignature", ["userinfo.unencrypted"]),
    ...refuse("rule", "everyOperation", ["userinfo.encrypted_unsigned"]),
  ],
  authorizationResponse: [
    ...either("jarm", ["jarm.unencrypted"]),
    ...refuse("attack", "jarm", ["jarm.encrypted_unsigned"]),
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
