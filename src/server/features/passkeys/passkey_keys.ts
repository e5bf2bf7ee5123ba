/** An algorithm of passkeys, by its COSE number (RFC 9053, section 2; RFC 8812, section 2). */
export type PasskeyAlgorithm = -7 | -8 | -257;

/** Those that the server accepts, the preferred one first. */
export const passkeyAlgorithms: readonly PasskeyAlgorithm[] = [-7, -8, -257];

const parameters = {
  [-7]: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  [-8]: { name: "Ed25519" },
  [-257]: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
} as const;

/** Shorter RSA keys can be broken (NIST SP 800-131A). Longer ones only cost time. */
const [minRsaBits, maxRsaBits] = [2048, 4096];

/** Imports a public key, as SPKI. Returns undefined if it is not one of the algorithm. */
export async function importPasskey(
  spki: Uint8Array<ArrayBuffer>,
  algorithm: PasskeyAlgorithm,
): Promise<CryptoKey | undefined> {
  try {
    const key = await crypto.subtle.importKey("spki", spki, parameters[algorithm], false, [
      "verify",
    ]);
    const { modulusLength } = key.algorithm as Partial<RsaKeyAlgorithm>;
    const isRefused = modulusLength !== undefined &&
      (modulusLength < minRsaBits || modulusLength > maxRsaBits);
    return isRefused ? undefined : key;
  } catch {
    return undefined;
  }
}

/** Whether a signature over some data was made with a passkey. */
export async function isSignedBy(
  key: CryptoKey,
  algorithm: PasskeyAlgorithm,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const raw = algorithm === -7 ? toRawSignature(signature) : signature;
  return raw !== undefined && await crypto.subtle.verify(parameters[algorithm], key, raw, data);
}

/**
 * Converts an ECDSA signature from DER, as authenticators write it (WebAuthn Level 3, section 6.5.5),
 * to both numbers in 32 bytes each, as Web Crypto reads it. Returns undefined if it is no such DER.
 */
function toRawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const raw = new Uint8Array(64);
  let start = 2;
  for (const end of [32, 64]) {
    const length = der[start + 1] ?? 0;
    const number = der.subarray(start + 2, start + 2 + length);
    if (der[start] !== 0x02 || length === 0 || number.length !== length) return undefined;
    // A first bit of 1 would be a sign, so such a number has a zero before it.
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if (digits.length > 32) return undefined;
    raw.set(digits, end - digits.length);
    start += 2 + length;
  }
  return start === der.length ? raw : undefined;
}
