import type { JWK } from "jose";
import { isObject } from "../util/text/json.ts";

/** How many keys of a published set are kept. */
const maxKeys = 50;

/** The members of a public key that verifying a signature, encrypting, or TLS needs. */
const keptMembers = ["kty", "crv", "n", "e", "x", "y", "kid", "alg", "use", "key_ops", "x5c"];

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

/** What an algorithm demands of a key: RSA, or one of some curves. */
interface KeyType {
  use: "sig" | "enc";
  kinds: readonly string[];
}

const rsaSignature: KeyType = { use: "sig", kinds: ["RSA"] };
const edwardsSignature: KeyType = { use: "sig", kinds: ["Ed25519"] };
const rsaEncryption: KeyType = { use: "enc", kinds: ["RSA"] };
const keyAgreement: KeyType = { use: "enc", kinds: ["P-256", "P-384", "P-521", "X25519"] };

/** The key type of each algorithm (RFC 7518, sections 3.1 and 4.1; RFC 8037, section 3). */
const keyTypes: ReadonlyMap<string, KeyType> = new Map([
  ["RS256", rsaSignature],
  ["PS256", rsaSignature],
  ["ES256", { use: "sig", kinds: ["P-256"] }],
  ["EdDSA", edwardsSignature],
  ["Ed25519", edwardsSignature],
  ["RSA-OAEP", rsaEncryption],
  ["RSA-OAEP-256", rsaEncryption],
  ["RSA-OAEP-384", rsaEncryption],
  ["RSA-OAEP-512", rsaEncryption],
  ["ECDH-ES", keyAgreement],
  ["ECDH-ES+A128KW", keyAgreement],
  ["ECDH-ES+A192KW", keyAgreement],
  ["ECDH-ES+A256KW", keyAgreement],
]);

/** The key type of each curve, and how many bytes `x` and `y` have, even if the first is zero. */
const curves: ReadonlyMap<unknown, { kty: string; bytes: number }> = new Map([
  ["P-256", { kty: "EC", bytes: 32 }],
  ["P-384", { kty: "EC", bytes: 48 }],
  ["P-521", { kty: "EC", bytes: 66 }],
  ["Ed25519", { kty: "OKP", bytes: 32 }],
  ["X25519", { kty: "OKP", bytes: 32 }],
]);

/** The members that a public key cannot do without (RFC 7518, section 6; RFC 8037, section 2). */
const publicMembers: Readonly<Record<string, readonly string[]>> = {
  RSA: ["n", "e"],
  EC: ["x", "y"],
  OKP: ["x"],
};

const base64url = /^[\w-]*$/;

/** In bytes (RFC 7518, sections 3.3 and 4.3). With less, jose neither verifies nor encrypts. */
const minModulus = 2048 / 8;

/** Zero or one, in any number of bytes. What is encrypted with the exponent 1, anyone can read. */
const trivialExponent = /^A*[BEQ]?$/;

/** Zeros before a number: they make its text longer, and the number no greater. */
const leadingZeros = /^A+/;

/** What verifying a signature may cost: how many keys are tried, and how long RSA keys are. */
interface KeyLimits {
  candidates: number;
  /** In bytes, as is the exponent: the cost grows with both. */
  modulus: number;
  exponent: number;
}

const trustedLimits: KeyLimits = { candidates: 20, modulus: 8192 / 8, exponent: 32 / 8 };
/** Anyone can publish keys, and then send any number of signatures that none of them made. */
const untrustedLimits: KeyLimits = { candidates: 5, modulus: 4096 / 8, exponent: 24 / 8 };

export function isPrivateKey(key: JWK): boolean {
  return privateKeyMembers.some((name) => Object.hasOwn(key, name));
}

/**
 * Returns why a key cannot verify a client's signatures, nor be that of its certificate; or
 * undefined (RFC 7517, section 4).
 */
export function clientKeyProblem(key: JWK): string | undefined {
  if (isPrivateKey(key)) return "is a private or a secret key; publish the public part only";
  const kind = kindOf(key);
  if (kind === undefined) {
    return "is neither an RSA key nor a key on P-256, P-384, P-521, Ed25519 or X25519";
  }
  // With a certificate, it is a key for TLS.
  if (key.use === "sig" && !key.x5c?.length && !hasUse(kind, "sig")) {
    return `is on ${kind}, and this server verifies no signature with such a key`;
  }
  if (!hasPublicPart(key)) return "lacks a part of the public key, or has one that is not text";
  const sizeProblem = curveSizeProblem(key);
  if (sizeProblem !== undefined) return sizeProblem;
  if (isWeakKey(key)) {
    return `is an RSA key with a modulus of less than ${minModulus * 8} bits or the exponent 1`;
  }
  return costProblem(key, true);
}

/** Returns why only a trusted client may have a key that can verify signatures, or undefined. */
export function untrustedKeyProblem(key: JWK): string | undefined {
  return clientKeyProblem(key) === undefined ? costProblem(key, false) : undefined;
}

/** Whether a usable key is for encryption or a certificate only. */
export function signsNothing(key: JWK): boolean {
  const verifies = [...keyTypes].some(([alg, { use }]) => use === "sig" && isFor(key, alg));
  return !verifies && clientKeyProblem(key) === undefined;
}

function costProblem(key: JWK, trusted: boolean): string | undefined {
  if (!isCostlyKey(key, trusted)) return undefined;
  const { modulus, exponent } = limitsOf(trusted);
  return `is an RSA key with a modulus of more than ${modulus * 8} bits or an exponent of more ` +
    `than ${exponent * 8} bits`;
}

/** Returns the usable public keys of a set, and nothing else of the document. */
export function readPublicKeys(document: unknown): JWK[] {
  const keys = isObject(document) && Array.isArray(document.keys) ? document.keys : [];
  return keys.filter((key): key is JWK => isObject(key) && clientKeyProblem(key) === undefined)
    .slice(0, maxKeys)
    .map((key) =>
      Object.fromEntries(Object.entries(key).filter(([name]) => keptMembers.includes(name)))
    );
}

function limitsOf(trusted: boolean): KeyLimits {
  return trusted ? trustedLimits : untrustedLimits;
}

function hasPublicPart(key: JWK): boolean {
  const members = Object.entries(key);
  const isText = (name: string) =>
    members.some(([each, value]) => each === name && typeof value === "string" && value !== "");
  return (publicMembers[key.kty ?? ""] ?? []).every(isText);
}

/**
 * Returns why a key does not have the size of its curve, which not every runtime checks (RFC 7518,
 * section 6.2.1.2; RFC 8037, section 2).
 */
function curveSizeProblem({ kty, crv, x, y }: JWK): string | undefined {
  const bytes = curves.get(crv)?.bytes;
  if (kty === "RSA" || bytes === undefined) return undefined;
  const length = Math.ceil(bytes * 4 / 3);
  const parts = kty === "EC" ? [x, y] : [x];
  const isRight = parts.every((part = "") => part.length === length && base64url.test(part));
  return isRight ? undefined : `has an 'x' or a 'y' that is not ${bytes} bytes in base64url`;
}

function isWeakKey({ kty, n = "", e = "" }: JWK): boolean {
  if (kty !== "RSA") return false;
  return decodedLength(n.replace(leadingZeros, "")) < minModulus || trivialExponent.test(e);
}

/**
 * Whether a signature of a key is so costly to verify that a few requests would block the server:
 * 18 ms on Node if the exponent of an RSA key is as long as its modulus.
 */
export function isCostlyKey({ kty, n, e }: JWK, trusted: boolean = false): boolean {
  const { modulus, exponent } = limitsOf(trusted);
  return kty === "RSA" && (decodedLength(n) > modulus || decodedLength(e) > exponent);
}

/** Returns the number of bytes that a base64url text encodes. A key of anything else is no key. */
function decodedLength(text: unknown): number {
  return typeof text === "string" ? Math.floor(text.length * 3 / 4) : 0;
}

/** The members of a header that select a key. */
export interface KeySelector {
  alg: string;
  kid?: string | undefined;
}

/**
 * Returns the keys that may have made a signature: those with its `kid`, or all that fit. If there
 * are none, keys without a `kid` may: some libraries sign with a thumbprint as the `kid`, whether
 * or not the key was registered with it (RFC 7515, section 4.1.4: it is a hint).
 */
export function candidateKeys(
  keys: readonly JWK[],
  selector: KeySelector,
  trusted: boolean = false,
): JWK[] {
  const affordable = keys.filter((key) => !isCostlyKey(key, trusted));
  const named = namedKeys(affordable, selector);
  const candidates = named.length > 0 ? named : namedKeys(
    affordable.filter((key) => key.kid === undefined),
    { alg: selector.alg },
  );
  return candidates.slice(0, limitsOf(trusted).candidates);
}

/** Returns the keys that a signature names by its `kid`; all that fit if it names none. */
export function namedKeys(keys: readonly JWK[], selector: KeySelector): JWK[] {
  return keys.filter((key) => isNamedKey(key, selector));
}

export function isNamedKey(key: JWK, { alg, kid }: KeySelector): boolean {
  return (kid === undefined || key.kid === kid) && isFor(key, alg);
}

/** A key that encrypts must not verify what was signed, nor the other way round. */
function isFor(key: JWK, alg: string): boolean {
  if (clientKeyProblem(key) || !keyFitsAlgorithm(key, alg)) return false;
  if (key.use !== undefined && key.use !== keyTypes.get(alg)?.use) return false;
  if (key.alg === undefined || key.alg === alg) return true;
  // EdDSA and Ed25519 are two names for the same algorithm.
  return key.crv === "Ed25519" && keyFitsAlgorithm(key, key.alg);
}

/** Whether a key has the type and curve of an algorithm. Not every runtime checks the curve. */
export function keyFitsAlgorithm(key: JWK, alg: string): boolean {
  const kind = kindOf(key);
  return kind !== undefined && keyTypes.get(alg)?.kinds.includes(kind) === true;
}

/** Returns "RSA", or the curve of a key; undefined if no algorithm has such keys. */
function kindOf({ kty, crv }: JWK): string | undefined {
  if (kty === "RSA") return kty;
  return kty !== undefined && curves.get(crv)?.kty === kty ? crv : undefined;
}

function hasUse(kind: string, use: KeyType["use"]): boolean {
  return [...keyTypes.values()].some((type) => type.use === use && type.kinds.includes(kind));
}
