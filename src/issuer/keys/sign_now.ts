import type { JWK } from "jose";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { nativeCrypto } from "../../util/native_crypto.ts";

/** Signs bytes on this thread. */
export type SignNow = (data: Uint8Array) => Uint8Array;

/** How Node's `crypto` signs with an algorithm. */
interface NativeSignature {
  /** The hash to name; null if the algorithm has its own. */
  hash: string | null;
  /** Turns the signature into that of a JWT. */
  format?(signature: Uint8Array): Uint8Array;
}

/**
 * The algorithms whose signatures cost less than a visit to another thread. RSA is not among them:
 * it takes many times as long, and requests would wait for one another.
 */
const signatures: Readonly<Partial<Record<SigningAlgorithm, NativeSignature>>> = {
  ES256: { hash: "sha256", format: joinIntegers },
  EdDSA: { hash: null },
};

/** The length of each of the two integers of an ES256 signature, in bytes. */
const integerLength = 32;

/**
 * Returns a function that signs at once, or undefined if Web Crypto is faster, or the runtime has
 * nothing else.
 */
export function signNowWith(alg: SigningAlgorithm, jwk: JWK): SignNow | undefined {
  const { createPrivateKey, sign } = nativeCrypto;
  const signature = signatures[alg];
  if (!signature || !createPrivateKey || !sign || isSlow(alg)) return undefined;
  const { hash, format = (signature) => signature } = signature;
  let key: object | undefined;
  return (data) => {
    // Most keys only verify.
    key ??= createPrivateKey({ key: jwk, format: "jwk" });
    // Node takes twice as long for a key that comes with options.
    return format(sign(hash, data, key));
  };
}

/** On Deno, Node's `crypto` takes longer for elliptic curves than Web Crypto. */
function isSlow(alg: SigningAlgorithm): boolean {
  return alg === "ES256" && "Deno" in globalThis;
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
