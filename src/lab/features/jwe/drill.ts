import { choiceOf, type EncryptedKind } from "../../../server/features/jwe/config.ts";
import { type DrillRow, either, type FeatureRows, refuse } from "../drill/variants/rows.ts";

const ofIdToken = { requirement: "id_token.encrypted_unsigned" } as const;
const ofUserinfo = { requirement: "userinfo.signed" } as const;
const ofJarm = { requirement: "jarm.*" } as const;

/** What can be wrong with what a client gets encrypted, for clients that ask for it. */
export const encryptionRows: readonly FeatureRows[] = [
  encrypted("idToken", [
    ...either("idTokenEncrypted", ["id_token.unencrypted"], ofIdToken),
    ...refuse("must", "nestedJwt", ["id_token.encrypted_unsigned"], ofIdToken),
    ...refuse("must", "everyOperation", ["id_token.encrypted_for_other_key"], ofIdToken),
    ...refuse("must", "signedAlg", [
      "id_token.wrong_encryption_alg",
      "id_token.wrong_encryption_enc",
    ], ofIdToken),
    // The advice is for those that encrypt.
    ...either("compression", ["id_token.compressed"], ofIdToken),
  ]),
  encrypted("userinfo", [
    ...either("userinfoSignature", ["userinfo.unencrypted"], ofUserinfo),
    ...refuse("must", "everyOperation", ["userinfo.encrypted_unsigned"], ofUserinfo),
  ]),
  encrypted("authorizationResponse", [
    ...either("jarm", ["jarm.unencrypted"], ofJarm),
    ...refuse("must", "jarm", ["jarm.encrypted_unsigned"], ofJarm),
  ]),
];

function encrypted(kind: EncryptedKind, rows: readonly DrillRow[]): FeatureRows {
  return { of: "login", rows, isFor: (client) => choiceOf(client, kind).alg !== undefined };
}
