import { parseAddress } from "../../util/addresses/address_spelling.ts";
import { type Der, derTags } from "../../util/bytes/der.ts";
import { decodeUtf8, toHex } from "../../util/bytes/encoding.ts";
import {
  CertificateError,
  type DerValue,
  readAll,
  readBoolean,
  readBytes,
  readDigits,
  readFields,
  readId,
  readOnly,
} from "./der.ts";
import { escapeValue, shortNames, writeLevels } from "./distinguished_name.ts";

/** The alternative names of a subject (RFC 5280, section 4.2.1.6). DNS names are in lower case. */
export type AlternativeNames = Record<"dns" | "uri" | "ip" | "email", string[]>;

/** A certificate that was read (RFC 5280, section 4.1), and is not trusted by that. */
export interface Certificate {
  der: Der;
  /** The name of the subject as text (RFC 4514); empty if it has none. */
  subject: string;
  /** The names of subject and issuer as they are encoded, to compare them. */
  subjectDer: string;
  issuerDer: string;
  sans: AlternativeNames;
  /** The key of the subject, as a SubjectPublicKeyInfo. */
  publicKey: Der;
  /** When it becomes valid, and when it expires, in milliseconds. */
  notBefore: number;
  notAfter: number;
  /** What its key may be used for. */
  use: CertificateUse;
  /** What the issuer signed, and how. */
  signed: { content: Der; algorithm: DerValue; signature: Der };
}

/** What the key of a certificate may be used for, as its extensions name it. */
export interface CertificateUse {
  isAuthority: boolean;
  /** How many authorities may be between this one and the certificate of a client. */
  maxAuthorities: number;
  signsCertificates: boolean;
  signsMessages: boolean;
  authenticatesClients: boolean;
  /** What it demands that we do not check and must not ignore (RFC 5280, section 4.2). */
  unsupported: "name constraints" | "critical extension" | undefined;
}

/** In bytes. Certificates with many names and large keys are far smaller. */
const maxSize = 16 * 1024;

const keyUsage = "2.5.29.15";
const alternativeName = "2.5.29.17";
const basicConstraints = "2.5.29.19";
const nameConstraints = "2.5.29.30";
const extendedKeyUsage = "2.5.29.37";
/** Extensions that may be critical, because we check them; names are where there is no subject. */
const checked = [keyUsage, alternativeName, basicConstraints, extendedKeyUsage];

/** `clientAuth` and `anyExtendedKeyUsage` (RFC 5280, section 4.2.1.12). */
const clientPurposes = ["1.3.6.1.5.5.7.3.2", "2.5.29.37.0"];

const { sequence, integer, bitString, boolean, octetString, objectIdentifier } = derTags;

/**
 * Reads a certificate in DER. The texts in which runtimes show its names differ, and a name with a
 * comma could pass for two of them (CVE-2021-44532), so each name is read by itself.
 *
 * @throws {CertificateError} It is malformed.
 */
export function readCertificate(bytes: Uint8Array): Certificate {
  if (bytes.length > maxSize) throw new CertificateError("It is longer than 16 kB.");
  const der = Uint8Array.from(bytes);
  const certificate = readOnly(der, sequence);
  const [content, algorithm, signature] = readFields(certificate, sequence, sequence, bitString);
  const [version, serial, inner, issuer, validity, name, key, , , extensionList] = readFields(
    content,
    [0xa0],
    integer,
    sequence,
    sequence,
    sequence,
    sequence,
    sequence,
    [0x81],
    [0x82],
    [0xa3],
  );
  readDigits(serial);
  if (toHex(inner.encoded) !== toHex(algorithm.encoded)) {
    throw new CertificateError("It names two algorithms for its signature.");
  }
  if (readVersion(version) !== 3 && extensionList) {
    throw new CertificateError("It has extensions without version 3.");
  }
  const extensions = readExtensions(extensionList);
  const [notBefore = NaN, notAfter = NaN, ...others] = readAll(validity.content).map(readTime);
  if (others.length > 0 || Number.isNaN(notAfter)) throw invalidTime();
  const names = extensions.get(alternativeName)?.value;
  return {
    der,
    subject: nameText(name),
    subjectDer: toHex(name.encoded),
    issuerDer: toHex(issuer.encoded),
    sans: names ? readAlternativeNames(names) : { dns: [], uri: [], ip: [], email: [] },
    publicKey: key.encoded,
    notBefore,
    notAfter,
    use: readUse(extensions),
    signed: { content: content.encoded, algorithm, signature: readBytes(signature) },
  };
}

/** Version 1 is the default, and is not encoded. */
function readVersion(value: DerValue | undefined): number {
  if (!value) return 1;
  const [digit = 0] = readDigits(readOnly(value.content, integer));
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
  return new CertificateError("It has a malformed time.");
}

type Extensions = ReadonlyMap<string, { isCritical: boolean; value: Der }>;

/** Reads the extensions of a certificate, each of which may come once. */
function readExtensions(tagged: DerValue | undefined): Extensions {
  const list = tagged ? readAll(readOnly(tagged.content, sequence).content, sequence) : [];
  const extensions = new Map(list.map((extension) => {
    const [id, critical, value] = readFields(extension, objectIdentifier, [boolean], octetString);
    return [readId(id), { isCritical: readBoolean(critical), value: value.content }];
  }));
  if (extensions.size < list.length) throw new CertificateError("It has an extension twice.");
  return extensions;
}

/**
 * Reads what a key may be used for. Without an extension, its use is not restricted, but it belongs
 * to no authority.
 */
function readUse(extensions: Extensions): CertificateUse {
  const valueOf = (id: string, tag: number) => {
    const value = extensions.get(id)?.value;
    return value && readOnly(value, tag);
  };
  const [unused, bits] = valueOf(keyUsage, bitString)?.content ?? [0, 0xff];
  if (unused === undefined || bits === undefined) {
    throw new CertificateError("It has an empty key usage.");
  }
  const constraints = valueOf(basicConstraints, sequence);
  const [flag, length] = constraints ? readFields(constraints, [boolean], [integer]) : [];
  const purposes = valueOf(extendedKeyUsage, sequence);
  return {
    isAuthority: readBoolean(flag),
    maxAuthorities: length
      ? readDigits(length).reduce((sum, byte) => sum * 0x100 + byte, 0)
      : Infinity,
    // The bits of a key usage, from the left (RFC 5280, section 4.2.1.3).
    signsMessages: (bits & 0x80) !== 0,
    signsCertificates: (bits & 0x04) !== 0,
    authenticatesClients: !purposes ||
      readAll(purposes.content, objectIdentifier).some((each) =>
        clientPurposes.includes(readId(each))
      ),
    unsupported: unsupportedExtension(extensions),
  };
}

function unsupportedExtension(extensions: Extensions): CertificateUse["unsupported"] {
  if (extensions.has(nameConstraints)) return "name constraints";
  const isUnknown = [...extensions].some(([id, { isCritical }]) =>
    isCritical && !checked.includes(id)
  );
  return isUnknown ? "critical extension" : undefined;
}

/** Reads the alternative names of a subject. Names of other types are skipped. */
export function readAlternativeNames(extension: Der): AlternativeNames {
  const values = readAll(readOnly(extension, sequence).content);
  const ofTag = (tag: number) => values.filter((value) => value.tag === tag);
  return {
    email: ofTag(0x81).map(readText),
    dns: ofTag(0x82).map((value) => readText(value).toLowerCase()),
    uri: ofTag(0x86).map(readText),
    ip: ofTag(0x87).map(readAddress),
  };
}

/**
 * Writes the name in a certificate as text (RFC 4514). The attributes of one level are sorted, so
 * that equal names have equal texts.
 */
function nameText(name: DerValue): string {
  const levels = readAll(name.content, derTags.set).map(({ content }) =>
    readAll(content, sequence).map(attributeText)
  );
  return writeLevels(levels.reverse());
}

/** A type without a short name has its value in hexadecimal (RFC 4514, section 2.4). */
function attributeText({ content }: DerValue): string {
  const [type, value, ...others] = readAll(content);
  if (type?.tag !== objectIdentifier || !value || others.length > 0) {
    throw new CertificateError("Its name has an attribute that is not a type with a value.");
  }
  const id = readId(type);
  const name = shortNames[id];
  const text = name && stringValue(value);
  return text === undefined
    ? `${name ?? id}=#${toHex(value.encoded)}`
    : `${name}=${escapeValue(text)}`;
}

/** Returns the text of a value, unless it has a type whose encoding is not certain. */
function stringValue({ tag, content }: DerValue): string | undefined {
  const isAscii = tag === derTags.printableString || tag === derTags.ia5String;
  if (!isAscii && tag !== derTags.utf8String) return undefined;
  const text = decodeUtf8(content);
  if (text === undefined || isAscii && content.some((byte) => byte > 0x7f)) {
    throw new CertificateError("Its name has a text that cannot be decoded.");
  }
  return text;
}

/** Others have taken a name with a NUL or a space for another name, or for two names. */
function readText({ content }: DerValue): string {
  if (content.length === 0 || content.some((byte) => byte <= 0x20 || byte > 0x7e)) {
    throw new CertificateError("It has a name with characters that no such name has.");
  }
  return String.fromCharCode(...content);
}

function readAddress({ content }: DerValue): string {
  const ipv6 = content.length === 16 ? toHex(content) : "";
  const text = content.length === 4 ? content.join(".") : ipv6.match(/.{4}/g)?.join(":") ?? "";
  const address = parseAddress(text);
  if (address === undefined) throw new CertificateError("It has a malformed IP address.");
  return address;
}
