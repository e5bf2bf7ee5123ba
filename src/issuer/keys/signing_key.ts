import { importJWK, type JWK } from "jose";
import type { SigningAlgorithm } from "../../model/signing.ts";

/** A key that is ready to be used. */
export interface SigningKey {
  kid: string;
  alg: SigningAlgorithm;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** The public part, as it is published (RFC 7517). */
  publicJwk: JWK;
}

/** Imports a private JWK of the server. */
export async function toSigningKey(
  kid: string,
  alg: SigningAlgorithm,
  privateJwk: string,
): Promise<SigningKey> {
  const jwk: JWK = JSON.parse(privateJwk);
  const publicJwk = publicPart(jwk);
  return {
    kid,
    alg,
    privateKey: await importKey(jwk),
    publicKey: await importKey(publicJwk),
    publicJwk,
  };
}

/** Names the public members: a list of secret ones would one day be incomplete. */
function publicPart({ kty, crv, x, y, n, e, kid, alg, use }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use }));
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk);
  if (key instanceof Uint8Array) throw new Error("A signing key must not be a shared secret.");
  return key;
}
