import { importJWK, type JWK } from "jose";
import type { KeyAlgorithm } from "../../model/signing.ts";
import { nativeCrypto } from "../../util/crypto/native_crypto.ts";
import { once } from "../../util/time/promises.ts";

/** The length of each of the two integers of an ES256 signature, in bytes. */
const integerLength = 32;

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

/** Signs bytes with Node's `crypto`: at once, or on another thread. */
export type NativeSigner = (data: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** How Node's `crypto` signs with an algorithm. */
interface NativeSignature {
  /** The hash to name; null if the algorithm has its own. */
  hash: string | null;
  /** Whether it takes so long that another thread signs, and requests need not wait in line. */
  isLong?: boolean;
  /** Turns the signature into that of a JWT. */
  format?(signature: Uint8Array): Uint8Array;
}

/** The algorithms that need no options with their key, with which Node takes twice as long. */
const signatures: Readonly<Partial<Record<KeyAlgorithm, NativeSignature>>> = {
  ES256: { hash: "sha256", format: joinIntegers },
  EdDSA: { hash: null },
  RS256: { hash: "sha256", isLong: true },
};

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

/**
 * Returns a function that signs without Web Crypto, or undefined if that is faster, or the runtime
 * has nothing else. Throws if the JWK is no key.
 */
export function nativeSigner(alg: KeyAlgorithm, jwk: JWK): NativeSigner | undefined {
  const { createPrivateKey, sign } = nativeCrypto;
  const signature = signatures[alg];
  if (!signature || !createPrivateKey || !sign || isSlow(alg)) return undefined;
  const { hash, isLong, format = (signature) => signature } = signature;
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return (data) => {
    if (!isLong) return format(sign(hash, data, key));
    return new Promise((resolve, reject) => {
      sign(hash, data, key, (cause, bytes) => cause ? reject(cause) : resolve(bytes));
    });
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

/**
 * On Deno, Node's `crypto` takes longer for elliptic curves than Web Crypto. On Deno and on Bun, it
 * signs on this thread in any case.
 */
function isSlow(alg: KeyAlgorithm): boolean {
  if ("Deno" in globalThis) return alg !== "EdDSA";
  return "Bun" in globalThis && alg === "RS256";
}

/**
 * Turns the DER of two integers into their bytes, one after the other, each of full length (RFC
 * 7518, section 3.4). DER leaves out leading zeros, and adds one before a bit that would be a sign.
 */
export function joinIntegers(der: Uint8Array): Uint8Array {
  const joined = new Uint8Array(2 * integerLength);
  // After the tag and the length of the sequence, and the tag of its first integer.
  let position = 3;
  for (const end of [integerLength, 2 * integerLength]) {
    const length = der[position] ?? 0;
    const integer = der.subarray(position + 1, position + 1 + length).slice(-integerLength);
    joined.set(integer, end - integer.length);
    position += length + 2;
  }
  return joined;
}
