import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import rsaKeys from "./rsa_keys.json" with { type: "json" };

interface KeyPair extends CryptoKeyPair {
  privateJwk: JWK;
  publicJwk: JWK;
}

let made = 0;

/**
 * Makes a key pair. An RSA key takes longer than most tests, so those of a file come in turn: a key
 * comes again after seven others.
 */
export async function makeKeyPair(alg: string): Promise<KeyPair> {
  const { privateKey, publicKey } =
    await (/^[PR]S256$/.test(alg)
      ? importRsaKey(alg)
      : generateKeyPair(alg, { extractable: true }));
  const [privateJwk, publicJwk] = [await exportJWK(privateKey), await exportJWK(publicKey)];
  return { privateKey, publicKey, privateJwk, publicJwk };
}

async function importRsaKey(alg: string): Promise<CryptoKeyPair> {
  const { kty, n, e, ...rest } = rsaKeys[made++ % rsaKeys.length]!;
  const read = async (jwk: JWK) => await importJWK(jwk, alg, { extractable: true }) as CryptoKey;
  return { privateKey: await read({ kty, n, e, ...rest }), publicKey: await read({ kty, n, e }) };
}
