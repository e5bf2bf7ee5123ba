import { importJWK, type JWK } from "jose";
import type { SigningAlgorithm } from "../../model/signing.ts";

/** A key that is ready to be used. */
export interface SigningKey {
  kid: string;
  alg: SigningAlgorithm;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** What everybody may see (RFC 7517). */
  publicJwk: JWK;
}

/** Reads a private JWK of ours. */
export async function toSigningKey(text: string): Promise<SigningKey> {
  const jwk: JWK = JSON.parse(text);
  const publicJwk = publicPart(jwk);
  return {
    kid: jwk.kid!,
    alg: jwk.alg as SigningAlgorithm,
    privateKey: await importJWK(jwk) as CryptoKey,
    publicKey: await importJWK(publicJwk) as CryptoKey,
    publicJwk,
  };
}

/** Names what may be shown; a list of what to hide would one day miss a member. */
function publicPart({ kty, crv, x, y, n, e, kid, alg, use }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use }));
}
