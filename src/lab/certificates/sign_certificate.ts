import {
  type Der,
  derBitString,
  derInteger,
  derObjectIdentifier,
  derSequence,
  derSet,
  derTagged,
  derText,
  derTime,
} from "../../server/util/bytes/der.ts";
import { day, hour } from "../../server/util/time/duration.ts";

const signatureAlgorithm = derSequence(derObjectIdentifier("1.2.840.10045.4.3.2"));
const commonNameType = derObjectIdentifier("2.5.4.3");

/** Signs a certificate with ES256 (RFC 5280, section 4.1). */
export async function signCertificate(content: {
  subject: string;
  issuer: string;
  publicKey: CryptoKey;
  signer: CryptoKey;
  extensions: readonly Der[];
  /** When it is valid; by default, for a day by the clock of the machine, as clients have it. */
  validity?: readonly [from: Date, until: Date];
}): Promise<Der> {
  const { subject, issuer, publicKey, signer, extensions, validity = aroundNow() } = content;
  const version3 = derTagged(0xa0, derInteger([2]));
  const toBeSigned = derSequence(
    version3,
    derInteger([1, ...crypto.getRandomValues(new Uint8Array(15))]),
    signatureAlgorithm,
    nameOf(issuer),
    derSequence(...validity.map(derTime)),
    nameOf(subject),
    new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)),
    ...extensions.length > 0 ? [derTagged(0xa3, derSequence(...extensions))] : [],
  );
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm, signer, toBeSigned));
  // WebCrypto returns both numbers of a signature side by side; a certificate holds a sequence.
  const half = signature.length / 2;
  const numbers = [signature.slice(0, half), signature.slice(half)].map(derInteger);
  return derSequence(toBeSigned, signatureAlgorithm, derBitString(derSequence(...numbers)));
}

function aroundNow(): [from: Date, until: Date] {
  const now = Date.now();
  return [new Date(now - 1 * hour * 1000), new Date(now + 1 * day * 1000)];
}

function nameOf(commonName: string): Der {
  return derSequence(derSet(derSequence(commonNameType, derText(commonName))));
}
