import { importJWK, type JWK } from "jose";
import type { KeyAlgorithm } from "../../model/signing.ts";
import { once } from "../../util/time/promises.ts";
import { type NativeSigner, nativeSigner } from "./native_signature.ts";

/** A signing key of the server. It is imported into Web Crypto when something needs it there. */
export interface SigningKey {
  kid: string;
  alg: KeyAlgorithm;
  /** Signs without Web Crypto, where that is faster. */
  signNatively?: NativeSigner | undefined;
  privateKey(): Promise<CryptoKey>;
  publicKey(): Promise<CryptoKey>;
  /** The public key, as the key set contains it (RFC 7517). */
  publicJwk: JWK;
}

/** Imports a private key of the server from the JSON text of its JWK, which must be a key. */
export async function importSigningKey(
  kid: string,
  alg: KeyAlgorithm,
  privateJwkJson: string,
): Promise<SigningKey> {
  const jwk: JWK = JSON.parse(privateJwkJson);
  const publicJwk = publicPart(jwk);
  const signNatively = nativeSigner(alg, jwk);
  const privateKey = once(() => importKey(jwk));
  if (!signNatively) await privateKey();
  return {
    kid,
    alg,
    signNatively,
    privateKey,
    publicKey: once(() => importKey(publicJwk)),
    publicJwk,
  };
}

/** Copies the public members alone, so that a private member of a later standard stays private. */
function publicPart({ kty, crv, x, y, n, e, kid, alg, use }: JWK): JWK {
  // JSON drops the members that are undefined.
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use }));
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk);
  if (key instanceof Uint8Array) throw new Error("A signing key must be asymmetric.");
  return key;
}
