import { exportJWK, generateKeyPair, type JWK } from "jose";
import { CompactEncrypt } from "jose/jwe/compact/encrypt";
import { encodeUtf8 } from "../../../server/util/bytes/encoding.ts";
import { attackerRsaKey } from "../../tokens/attacker_key.ts";
import type { SealedText } from "../../tokens/sealed.ts";

type Encryption = Pick<SealedText, "text" | "header" | "key">;

/** Encrypts a text by its header, even where the key is for another algorithm. */
export async function encryptLike({ text, header, key }: Encryption): Promise<string> {
  const { alg = "", enc = "", ...others } = header;
  return await new CompactEncrypt(encodeUtf8(text))
    .setProtectedHeader({ alg, enc, ...others })
    .encrypt({ ...key, alg });
}

/** Encrypts a text for a key that only looks like the client's. */
export async function encryptForOtherKey({ text, header, key }: Encryption): Promise<string> {
  return await encryptLike({ text, header, key: await otherKey(key) });
}

async function otherKey({ kty, crv = "" }: JWK): Promise<JWK> {
  if (kty === "RSA") {
    const { n = "", e = "" } = attackerRsaKey;
    return { kty, n, e };
  }
  const { publicKey } = await generateKeyPair("ECDH-ES", { crv, extractable: true });
  return await exportJWK(publicKey);
}
