import { type Der, derTags } from "../../../util/bytes/der.ts";
import { type AlternativeNames, nameText, readAlternativeNames } from "./certificate_names.ts";
import { type CertificateUse, extensionIds, readExtensions, readUse } from "./certificate_use.ts";
import {
  CertificateError,
  type DerReader,
  type DerValue,
  readBytes,
  readDer,
  readDigits,
  readOnly,
} from "./der_reader.ts";

/** A certificate that was read (RFC 5280, section 4.1), and is not trusted by that. */
export interface Certificate {
  der: Der;
  /** The name of the subject as text (RFC 4514); empty if it has none. */
  subject: string;
  /** The names of subject and issuer as they are encoded, to compare them. */
  subjectDer: Der;
  issuerDer: Der;
  /** The other names of the subject. */
  sans: AlternativeNames;
  /** The key of the subject, as a SubjectPublicKeyInfo. */
  publicKey: Der;
  /** From when on and until when it is valid, in milliseconds. */
  notBefore: number;
  notAfter: number;
  /** What its key may be used for. */
  use: CertificateUse;
  /** What the issuer signed, and how. */
  signed: { content: Der; algorithm: DerValue; signature: Der };
}

/** Long chains of trust and large keys fit in far less, in bytes. */
const maxSize = 16 * 1024;

const versionTag = 0xa0;
const uniqueIdTags = [0x81, 0x82];
const extensionsTag = 0xa3;

/**
 * Reads a certificate in DER. The texts in which runtimes show its names differ, and a name with a
 * comma has been two names there (CVE-2021-44532): so each name is read by itself.
 *
 * @throws {CertificateError} It is malformed.
 */
export function readCertificate(der: Uint8Array): Certificate {
  if (der.length > maxSize) throw new CertificateError("It is longer than 16 kB.");
  const bytes = Uint8Array.from(der);
  const outer = readDer(readOnly(bytes, derTags.sequence).content);
  const content = outer.read(derTags.sequence);
  const algorithm = outer.read(derTags.sequence);
  const signature = readBytes(outer.read(derTags.bitString));
  outer.end();
  return { der: bytes, ...readContent(content, algorithm, signature) };
}

function readContent(
  content: DerValue,
  algorithm: DerValue,
  signature: Der,
): Omit<Certificate, "der"> {
  const reader = readDer(content.content);
  const version = readVersion(reader);
  readDigits(reader.read(derTags.integer));
  if (!equalBytes(reader.read(derTags.sequence).encoded, algorithm.encoded)) {
    throw new CertificateError("It names two algorithms for its signature.");
  }
  const issuer = reader.read(derTags.sequence);
  const validity = readDer(reader.read(derTags.sequence).content);
  const [notBefore, notAfter] = [readTime(validity.read()), readTime(validity.read())];
  validity.end();
  const subject = reader.read(derTags.sequence);
  const publicKey = reader.read(derTags.sequence).encoded;
  for (const tag of uniqueIdTags) reader.readOptional(tag);
  const extensions = readExtensions(version === 3 ? reader.readOptional(extensionsTag) : undefined);
  reader.end();
  const names = extensions.get(extensionIds.subjectAltName)?.value;
  return {
    subject: nameText(subject),
    subjectDer: subject.encoded,
    issuerDer: issuer.encoded,
    sans: names ? readAlternativeNames(names) : { dns: [], uri: [], ip: [], email: [] },
    publicKey,
    notBefore,
    notAfter,
    use: readUse(extensions),
    signed: { content: content.encoded, algorithm, signature },
  };
}

/** Version 1 is the default, and is not encoded. */
function readVersion(reader: DerReader): number {
  const value = reader.readOptional(versionTag);
  if (!value) return 1;
  const [digit = 0] = readDigits(readOnly(value.content, derTags.integer));
  if (digit !== 1 && digit !== 2) throw new CertificateError("It has an unknown version.");
  return digit + 1;
}

/** Reads a time of the form 261122101112Z, or with all digits of the year. */
function readTime({ tag, content }: DerValue): number {
  const text = String.fromCharCode(...content);
  const isShort = tag === derTags.utcTime;
  if (!isShort && tag !== derTags.generalizedTime) throw invalidTime();
  // Years 50 to 99 are of the last century (RFC 5280, section 4.1.2.5.1).
  const full = isShort ? `${Number(text.slice(0, 2)) < 50 ? 20 : 19}${text}` : text;
  const iso = full.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6.000Z");
  const time = Date.parse(iso);
  // A date such as February 30 is not read as another one.
  if (Number.isNaN(time) || new Date(time).toISOString() !== iso) throw invalidTime();
  return time;
}

function invalidTime(): CertificateError {
  return new CertificateError("It has a time that is not as certificates write it.");
}

/** Whether two encoded values are the same. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
