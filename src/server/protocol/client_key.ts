import type { JWK } from "jose";

/** Limits how many of a client's keys are tried. An untrusted client may publish hundreds. */
const maxCandidates = 20;

/** The members that only a private or secret key has (RFC 7518, section 6, and later). */
export const privateKeyMembers: readonly string[] = [
  "d",
  "p",
  "q",
  "dp",
  "dq",
  "qi",
  "oth",
  "k",
  "priv",
];

/** The key type and curve of each algorithm (RFC 7518, section 3.1; RFC 8037, section 3.1). */
const keyTypes: Readonly<Record<string, { kty: string; crv?: string }>> = {
  RS256: { kty: "RSA" },
  PS256: { kty: "RSA" },
  ES256: { kty: "EC", crv: "P-256" },
  EdDSA: { kty: "OKP", crv: "Ed25519" },
  Ed25519: { kty: "OKP", crv: "Ed25519" },
};

/** The members that a public key cannot do without (RFC 7518, section 6; RFC 8037, section 2). */
const publicMembers: Readonly<Record<string, readonly string[]>> = {
  RSA: ["n", "e"],
  EC: ["x", "y"],
  OKP: ["x"],
};

/**
 * A coordinate on P-256 and a key on Ed25519 have 32 bytes, also if the first is zero (RFC 7518,
 * section 6.2.1.2; RFC 8037, section 2).
 */
const coordinate = /^[\w-]{43}$/;

/** The size limits of an RSA key, in bytes. The cost of a verification grows with both. */
const maxModulusLength = 8192 / 8;
const maxExponentLength = 32 / 8;

/** Whether a key contains its private part. */
export function isPrivateKey(key: JWK): boolean {
  return privateKeyMembers.some((name) => Object.hasOwn(key, name));
}

/** Returns why a key cannot verify a client's signatures, or undefined (RFC 7517, section 4). */
export function clientKeyProblem(key: JWK): string | undefined {
  if (isPrivateKey(key)) return "is a private or a secret key; publish the public part only";
  if (!Object.keys(keyTypes).some((alg) => keyFitsAlgorithm(key, alg))) {
    return "is neither an RSA key nor a key on P-256 or Ed25519";
  }
  if (!hasPublicPart(key)) return "lacks a part of the public key, or has one that is not text";
  if (!hasSizeOfCurve(key)) return "has an 'x' or a 'y' that is not 32 bytes in base64url";
  if (isCostlyKey(key)) {
    return "is an RSA key with a modulus of more than 8192 bits or an exponent of more than 32 " +
      "bits";
  }
  return undefined;
}

function hasPublicPart(key: JWK): boolean {
  const members = Object.entries(key);
  const isText = (name: string) =>
    members.some(([each, value]) => each === name && typeof value === "string" && value !== "");
  return (publicMembers[key.kty ?? ""] ?? []).every(isText);
}

/** Whether a key has the size of its curve, which not every runtime checks. */
function hasSizeOfCurve({ kty, x, y }: JWK): boolean {
  if (kty === "RSA") return true;
  const parts = kty === "EC" ? [x, y] : [x];
  return parts.every((part) => coordinate.test(part ?? ""));
}

/**
 * Whether a signature of a key is so costly to verify that a few requests would block the server:
 * 18 ms on Node if the exponent of an RSA key is as long as its modulus.
 */
export function isCostlyKey({ kty, n, e }: JWK): boolean {
  if (kty !== "RSA") return false;
  return decodedLength(n) > maxModulusLength || decodedLength(e) > maxExponentLength;
}

/** Returns the number of bytes that a base64url text encodes. A key of anything else is no key. */
function decodedLength(text: unknown): number {
  return typeof text === "string" ? Math.floor(text.length * 3 / 4) : 0;
}

/** The members of a JWS header that select a key. */
export interface KeySelector {
  alg: string;
  kid?: string | undefined;
}

/**
 * Returns the keys that may have made a signature: those with its `kid`, or all that fit. If there
 * are none, keys without a `kid` may: some libraries sign with a thumbprint as the `kid`, whether
 * or not the key was registered with it (RFC 7515, section 4.1.4: it is a hint).
 */
export function candidateKeys(keys: readonly JWK[], selector: KeySelector): JWK[] {
  const named = namedKeys(keys, selector);
  const candidates = named.length > 0 ? named : namedKeys(
    keys.filter((key) => key.kid === undefined),
    { alg: selector.alg },
  );
  return candidates.slice(0, maxCandidates);
}

/** Returns the keys that a signature names by its `kid`; all that fit if it names none. */
export function namedKeys(keys: readonly JWK[], { alg, kid }: KeySelector): JWK[] {
  return keys.filter((key) => (kid === undefined || key.kid === kid) && canVerify(key, alg));
}

function canVerify(key: JWK, alg: string): boolean {
  if (clientKeyProblem(key) || !keyFitsAlgorithm(key, alg)) return false;
  if (key.alg === undefined || key.alg === alg) return true;
  // EdDSA and Ed25519 are two names for the same algorithm.
  return key.kty === "OKP" && keyFitsAlgorithm(key, key.alg);
}

/** Whether a key has the type and curve of an algorithm. Not every runtime checks the curve. */
export function keyFitsAlgorithm(key: JWK, alg: string): boolean {
  const type = keyTypes[alg];
  if (type === undefined || key.kty !== type.kty) return false;
  return type.crv === undefined || key.crv === type.crv;
}
