import { type Der, derTags } from "../../util/bytes/der.ts";
import type { Certificate } from "./certificate.ts";
import {
  CertificateError,
  type DerValue,
  readAll,
  readBytes,
  readDigits,
  readFields,
  readId,
  readOnly,
} from "./der.ts";

/** Two intermediate authorities are common. Each costs a signature to verify. */
const maxIntermediates = 5;

const minRsaBits = 2048;

/** How a certificate may be signed: not with SHA-1, with which certificates were forged. */
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

/**
 * Checks that one of the authorities vouches for the first certificate of a chain, which is that of
 * a client (RFC 5280, section 6.1). As in TLS, each further certificate belongs to the issuer of
 * the one before it, and that of the authority itself may be left out. While an authority is being
 * replaced, two have the same name, so each path is tried.
 *
 * @param now The time at which all of them have to be valid, in milliseconds.
 * @throws {CertificateError} No authority does.
 */
export async function verifyChain(
  chain: readonly Certificate[],
  authorities: readonly Certificate[],
  now: number,
): Promise<void> {
  const [client] = chain;
  if (!client) throw new CertificateError("There is no certificate.");
  const paths = pathsOf(chain.slice(0, maxIntermediates + 1), authorities);
  let problem = refusal(
    client,
    paths.length > 0
      ? "is not signed by the authority that it names"
      : "was issued by an authority that is not configured",
  );
  for (const path of paths) {
    if (!await isSigned(path)) continue;
    const [found] = path.flatMap((each, at) => {
      const reason = problemOf(each, at, now);
      return reason === undefined ? [] : [refusal(each, reason)];
    });
    if (!found) return;
    problem = found;
  }
  throw problem;
}

/** Returns each path from a certificate to an authority, by their names alone. */
function pathsOf(
  [first, next, ...others]: readonly Certificate[],
  authorities: readonly Certificate[],
): Certificate[][] {
  const isAbove = (other: Certificate | undefined) => first?.issuerDer === other?.subjectDer;
  const above = next && isAbove(next) ? pathsOf([next, ...others], authorities) : [];
  return first
    ? [...authorities.filter(isAbove).map((each) => [each]), ...above]
      .map((path) => [first, ...path])
    : [];
}

/** Verifies from the authority down, so that a stranger's key verifies nothing. */
async function isSigned([first, issuer, ...others]: readonly Certificate[]): Promise<boolean> {
  if (!first || !issuer) return true;
  return await isSigned([issuer, ...others]) && await isSignedBy(first, issuer);
}

/**
 * Returns why a certificate of a path does not count. A purpose of an authority restricts all that
 * it issues, as TLS libraries have it.
 *
 * @param at Its place in the path: 0 for the client, 1 for its issuer, and so on.
 */
function problemOf(
  { notBefore, notAfter, use }: Certificate,
  at: number,
  now: number,
): string | undefined {
  if (now < notBefore) return "is not valid yet";
  if (now > notAfter) return "has expired";
  if (!use.authenticatesClients) return "is not for TLS clients";
  if (use.unsupported === "name constraints") return "has unsupported name constraints";
  if (use.unsupported !== undefined) return "has a critical extension that is not supported";
  if (at === 0) return use.signsMessages ? undefined : "may not be used to sign messages";
  if (!use.isAuthority || !use.signsCertificates) return "does not belong to an authority";
  return at - 1 > use.maxAuthorities ? "allows fewer authorities below it" : undefined;
}

function refusal({ subject }: Certificate, reason: string): CertificateError {
  return new CertificateError(`The certificate of '${subject}' ${reason}.`);
}

/** Whether a key is an RSA key (RFC 8017, appendix A) that is too short to prove anything. */
export function isShortKey(publicKey: Der): boolean {
  const { type, bits } = readKey(publicKey);
  if (!type.startsWith("1.2.840.113549.1.1.")) return false;
  const [modulus] = readAll(readOnly(bits, derTags.sequence).content, derTags.integer);
  return !modulus || readDigits(modulus).length * 8 < minRsaBits;
}

/** Whether the key of an authority signed a certificate. A key of another type did not. */
async function isSignedBy({ signed }: Certificate, { publicKey }: Certificate): Promise<boolean> {
  const algorithm = readAlgorithm(signed.algorithm);
  const { curve } = readKey(publicKey);
  const isEc = algorithm.name === "ECDSA";
  if (isEc && !curve || isShortKey(publicKey)) return false;
  const signature = isEc && curve ? bothNumbers(signed.signature, curve.size) : signed.signature;
  const parameters = { ...algorithm, ...isEc && curve };
  const key = await crypto.subtle.importKey("spki", publicKey, parameters, false, ["verify"])
    .catch(() => undefined);
  return key !== undefined && signature !== undefined &&
    await crypto.subtle.verify(parameters, key, signature, signed.content);
}

/**
 * Reads how a certificate is signed, once that matters: it does not for one that is trusted or
 * registered itself, which may have parameters that no algorithm here has (RSASSA-PSS).
 */
function readAlgorithm(value: DerValue) {
  const [type] = readAll(value.content);
  const id = type && readId(type);
  const algorithm = algorithms[id ?? ""];
  if (!algorithm) {
    throw new CertificateError(`It is signed with the algorithm ${id}, which is not accepted.`);
  }
  readFields(value, derTags.objectIdentifier, [derTags.null]);
  return algorithm;
}

/** Reads a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7). */
function readKey(publicKey: Der) {
  const { bitString, objectIdentifier, sequence } = derTags;
  const [algorithm, bits] = readFields(readOnly(publicKey, sequence), sequence, bitString);
  const [type, parameter] = readAll(algorithm.content);
  if (type?.tag !== objectIdentifier) throw new CertificateError("Its key has no type.");
  const isNamed = parameter?.tag === objectIdentifier;
  return {
    type: readId(type),
    curve: isNamed ? curves[readId(parameter)] : undefined,
    bits: readBytes(bits),
  };
}

/**
 * Converts a signature to the form of Web Crypto: both numbers side by side, not a sequence.
 * Returns undefined if they are too long for the curve.
 */
function bothNumbers(signature: Der, size: number): Der | undefined {
  const { integer, sequence } = derTags;
  const numbers = readFields(readOnly(signature, sequence), integer, integer).map(readDigits);
  if (numbers.some((digits) => digits.length > size)) return undefined;
  const joined = new Uint8Array(2 * size);
  numbers.forEach((digits, at) => joined.set(digits, (at + 1) * size - digits.length));
  return joined;
}
