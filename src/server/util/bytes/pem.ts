import {
  type Der,
  derBitString,
  derInteger,
  derNull,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  toPem,
} from "./der.ts";
import { toHex } from "./encoding.ts";

/** A key in PEM (RFC 7468). One that OpenSSL has encrypted has headers, and is not matched. */
const keyBlock = /-----BEGIN ((?:[A-Z0-9]+ )*KEY)-----([A-Za-z0-9+/=\s]*)-----END \1-----/;

const rsaEncryption = "1.2.840.113549.1.1.1";
const ecPublicKey = "1.2.840.10045.2.1";
const p256 = "1.2.840.10045.3.1.7";

/** A type of keys: RSA, or the name of a curve. */
export type PemKeyType = "RSA" | "P-256" | "Ed25519";

/** The object identifiers of the types (RFC 3279, RFC 5480, RFC 8410). */
const keyTypes: ReadonlyArray<[type: PemKeyType, id: string]> = [
  ["RSA", rsaEncryption],
  ["P-256", p256],
  ["Ed25519", "1.3.101.112"],
];

export interface PemKey {
  /** The label in its first line: "PRIVATE KEY". */
  label: string;
  /** Its text in PKCS #8 if it is private, in SubjectPublicKeyInfo (RFC 5280) if it is public. */
  pem: string;
  type: PemKeyType | undefined;
}

/**
 * Reads the first key of a text in PEM. RSA keys in PKCS #1, and keys on P-256 in SEC 1 (RFC 5915),
 * are wrapped as Web Crypto needs it.
 */
export function readPemKey(text: string): PemKey | undefined {
  const [, label, base64] = keyBlock.exec(text) ?? [];
  if (label === undefined || base64 === undefined) return undefined;
  const der = readBase64(base64);
  if (!der) return undefined;
  const wrapped = wrapKey(label, der);
  return { label, pem: toPem(label.replace(/^(?:RSA|EC) /, ""), wrapped), type: typeOf(wrapped) };
}

function wrapKey(label: string, der: Der): Der {
  const rsa = derSequence(derObjectIdentifier(rsaEncryption), derNull());
  switch (label) {
    case "RSA PRIVATE KEY":
      return derSequence(derInteger([0]), rsa, derOctetString(der));
    case "RSA PUBLIC KEY":
      return derSequence(rsa, derBitString(der));
    case "EC PRIVATE KEY":
      return wrapEcKey(der);
    default:
      return der;
  }
}

/** The key names its curve after 39 bytes; on another curve than P-256, it stays as it is. */
function wrapEcKey(der: Der): Der {
  const curve = derObjectIdentifier(p256);
  if (!toHex(der.subarray(0, 60)).includes(toHex(curve))) return der;
  const algorithm = derSequence(derObjectIdentifier(ecPublicKey), curve);
  return derSequence(derInteger([0]), algorithm, derOctetString(der));
}

/** The object identifiers stand at the beginning: all that comes before them takes 30 bytes. */
function typeOf(der: Der): PemKeyType | undefined {
  const beginning = toHex(der.subarray(0, 40));
  const isHere = (id: string) => beginning.includes(toHex(derObjectIdentifier(id)));
  return keyTypes.find(([, id]) => isHere(id))?.[0];
}

/** Returns the bytes of a text in base64, which may have line breaks. */
export function readBase64(text: string): Der | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, "")), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
