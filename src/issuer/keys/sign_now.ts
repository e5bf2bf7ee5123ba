import type { JWK } from "jose";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { nativeCrypto } from "../../util/native_crypto.ts";

/** Signs bytes on this thread. */
export type SignNow = (data: Uint8Array) => Uint8Array;

/** How Node's `crypto` signs with an algorithm. */
interface NativeSignature {
  /** The hash to name; null if the algorithm has its own. */
  hash: string | null;
  options?: object;
}

/**
 * The algorithms whose signatures cost less than a visit to another thread. RSA is not among them:
 * it takes many times as long, and requests would wait for one another.
 */
const signatures: Readonly<Partial<Record<SigningAlgorithm, NativeSignature>>> = {
  // The two numbers follow one another (RFC 7518, section 3.4).
  ES256: { hash: "sha256", options: { dsaEncoding: "ieee-p1363" } },
  EdDSA: { hash: null },
};

/**
 * Returns a function that signs at once, or undefined if Web Crypto is faster, or the runtime has
 * nothing else.
 */
export function signNowWith(alg: SigningAlgorithm, jwk: JWK): SignNow | undefined {
  const { createPrivateKey, sign } = nativeCrypto;
  const signature = signatures[alg];
  if (!signature || !createPrivateKey || !sign || isSlow(alg)) return undefined;
  const { hash, options } = signature;
  let key: object | undefined;
  return (data) => {
    // Most keys only verify.
    key ??= { key: createPrivateKey({ key: jwk, format: "jwk" }), ...options };
    return sign(hash, data, key);
  };
}

/** On Deno, Node's `crypto` takes longer for elliptic curves than Web Crypto. */
function isSlow(alg: SigningAlgorithm): boolean {
  return alg === "ES256" && "Deno" in globalThis;
}
