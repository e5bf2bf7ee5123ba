import { type Der, derTags } from "../../../util/bytes/der.ts";
import type { Certificate } from "./certificate.ts";
import {
  CertificateError,
  type DerValue,
  readBytes,
  readDer,
  readDigits,
  readObjectIdentifier,
  readOnly,
} from "./der_reader.ts";

/** How a certificate may be signed. SHA-1 is not among it, as certificates were forged with it. */
const algorithms: Readonly<Record<string, { name: string; hash?: string }>> = {
  "1.2.840.113549.1.1.11": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  "1.2.840.113549.1.1.12": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" },
  "1.2.840.113549.1.1.13": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
  "1.2.840.10045.4.3.2": { name: "ECDSA", hash: "SHA-256" },
  "1.2.840.10045.4.3.3": { name: "ECDSA", hash: "SHA-384" },
  "1.2.840.10045.4.3.4": { name: "ECDSA", hash: "SHA-512" },
  "1.3.101.112": { name: "Ed25519" },
};

/** The curves of keys, and how many bytes each number of a signature has. */
const curves: Readonly<Record<string, { namedCurve: string; size: number }>> = {
  "1.2.840.10045.3.1.7": { namedCurve: "P-256", size: 32 },
  "1.3.132.0.34": { namedCurve: "P-384", size: 48 },
  "1.3.132.0.35": { namedCurve: "P-521", size: 66 },
};

/** The names of the types of RSA keys begin with it (RFC 8017, appendix A). */
const rsa = "1.2.840.113549.1.1.";

const minRsaBits = 2048;

/** Whether a key is an RSA key that is too short to prove anything. */
export function isShortKey(publicKey: Der): boolean {
  const { type, bits } = readKey(publicKey);
  if (!type.startsWith(rsa)) return false;
  const modulus = readDer(readOnly(readBytes(bits), derTags.sequence).content).read(
    derTags.integer,
  );
  return readDigits(modulus).length * 8 < minRsaBits;
}

/** Whether the key of an authority signed a certificate. */
export async function isSignedBy(
  { signed }: Certificate,
  { publicKey }: Certificate,
): Promise<boolean> {
  const { name, hash } = algorithmOf(signed.algorithm);
  const curve = name === "ECDSA" ? curveOf(publicKey) : undefined;
  const algorithm = { name, ...hash && { hash }, ...curve && { namedCurve: curve.namedCurve } };
  const signature = curve ? bothNumbers(signed.signature, curve.size) : signed.signature;
  const key = await importKey(publicKey, algorithm);
  return key !== undefined && signature !== undefined &&
    await crypto.subtle.verify(algorithm, key, signature, signed.content);
}

/** A key of another type than the signature is undefined, and so is a short one. */
async function importKey(
  publicKey: Der,
  algorithm: { name: string },
): Promise<CryptoKey | undefined> {
  try {
    const key = await crypto.subtle.importKey("spki", publicKey, algorithm, false, ["verify"]);
    const { modulusLength = minRsaBits } = key.algorithm as Partial<RsaHashedKeyAlgorithm>;
    return modulusLength < minRsaBits ? undefined : key;
  } catch {
    return undefined;
  }
}

function algorithmOf({ content }: DerValue): { name: string; hash?: string } {
  const reader = readDer(content);
  const id = readObjectIdentifier(reader.read(derTags.objectIdentifier));
  reader.readOptional(derTags.null);
  const algorithm = algorithms[id];
  if (!algorithm) {
    throw new CertificateError(`It is signed with the algorithm ${id}, which is not accepted.`);
  }
  reader.end();
  return algorithm;
}

/** Returns the curve of a key; undefined if it is unknown, or the key has none. */
function curveOf(publicKey: Der): { namedCurve: string; size: number } | undefined {
  const { parameter } = readKey(publicKey);
  return parameter && curves[readObjectIdentifier(parameter)];
}

/** Reads a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7). */
function readKey(
  publicKey: Der,
): { type: string; parameter: DerValue | undefined; bits: DerValue } {
  const reader = readDer(readOnly(publicKey, derTags.sequence).content);
  const algorithm = readDer(reader.read(derTags.sequence).content);
  return {
    type: readObjectIdentifier(algorithm.read(derTags.objectIdentifier)),
    parameter: algorithm.readOptional(derTags.objectIdentifier),
    bits: reader.read(derTags.bitString),
  };
}

/**
 * Web Crypto takes both numbers of a signature side by side; a certificate holds a sequence. Those
 * of a longer curve are undefined.
 */
function bothNumbers(signature: Der, size: number): Der | undefined {
  const reader = readDer(readOnly(signature, derTags.sequence).content);
  const numbers = [reader.read(derTags.integer), reader.read(derTags.integer)].map(readDigits);
  reader.end();
  if (numbers.some((digits) => digits.length > size)) return undefined;
  const joined = new Uint8Array(2 * size);
  numbers.forEach((digits, at) => joined.set(digits, (at + 1) * size - digits.length));
  return joined;
}
