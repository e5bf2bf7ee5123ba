import type { JWK } from "jose";

/** The members that only a private or a secret key has (RFC 7518, section 6, and what was registered later). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** The key that an algorithm needs (RFC 7518, section 3.1; RFC 8037, section 3.1). */
const neededKey: Readonly<Record<string, { kty: string; crv?: string }>> = {
  RS256: { kty: "RSA" },
  PS256: { kty: "RSA" },
  ES256: { kty: "EC", crv: "P-256" },
  EdDSA: { kty: "OKP", crv: "Ed25519" },
  Ed25519: { kty: "OKP", crv: "Ed25519" },
};

/** Whether a key holds what only its owner may know. */
export function isPrivateKey(key: JWK): boolean {
  return privateMembers.some((name) => Object.hasOwn(key, name));
}

/** Says why a key cannot verify what a client signs, or nothing (RFC 7517, section 4). */
export function clientKeyProblem(key: JWK): string | undefined {
  if (isPrivateKey(key)) return "holds a private or a secret key; give the public part alone";
  if (!Object.keys(neededKey).some((alg) => isOfTypeFor(key, alg))) {
    return "is neither an RSA key nor one on P-256 or Ed25519";
  }
  return undefined;
}

/** A stranger may show us hundreds of keys; trying them all would cost us more than asking costs them. */
const maxTried = 20;

/** The keys with which a signature may have been made: the one of that `kid`, or those that fit, as far as they are tried. */
export function keysThatFit(
  keys: readonly JWK[],
  { alg, kid }: { alg: string; kid?: string },
): JWK[] {
  return keys.filter((key) => (kid === undefined || key.kid === kid) && fits(key, alg)).slice(
    0,
    maxTried,
  );
}

function fits(key: JWK, alg: string): boolean {
  if (clientKeyProblem(key) || !isOfTypeFor(key, alg)) return false;
  // On Ed25519 both names mean the same.
  return key.alg === undefined || key.alg === alg ||
    (key.kty === "OKP" && isOfTypeFor(key, key.alg));
}

/** Whether a key is of the type, and on the curve, that an algorithm needs. Not every runtime looks at the curve. */
export function isOfTypeFor(key: JWK, alg: string): boolean {
  const needed = neededKey[alg];
  return needed !== undefined && key.kty === needed.kty &&
    (needed.crv === undefined || key.crv === needed.crv);
}
