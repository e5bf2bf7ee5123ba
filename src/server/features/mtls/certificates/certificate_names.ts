import { parseAddress } from "../../../util/addresses/address_spelling.ts";
import { type Der, derTags } from "../../../util/bytes/der.ts";
import { decodeUtf8, toHex } from "../../../util/bytes/encoding.ts";
import {
  CertificateError,
  type DerValue,
  readDer,
  readObjectIdentifier,
  readOnly,
} from "./der_reader.ts";
import { escapeValue, shortNames, writeLevels } from "./distinguished_name.ts";

/** The other names of the subject of a certificate (RFC 5280, section 4.2.1.6). */
export interface AlternativeNames {
  /** In lower case, as their case does not matter. */
  dns: string[];
  uri: string[];
  /** The addresses, as `parseAddress` spells them. */
  ip: string[];
  email: string[];
}

const textTags: ReadonlyMap<number, "dns" | "uri" | "email"> = new Map([
  [0x81, "email"],
  [0x82, "dns"],
  [0x86, "uri"],
]);

const addressTag = 0x87;

/**
 * Writes the name in a certificate as text (RFC 4514). The attributes of one level are sorted, so
 * that equal names have equal texts.
 */
export function nameText(name: DerValue): string {
  const levels = readDer(name.content).readAll(derTags.set).map((level) =>
    readDer(level.content).readAll(derTags.sequence).map(attributeText)
  );
  return writeLevels(levels.reverse());
}

/** Reads the alternative names of a subject. Names of other types are skipped. */
export function readAlternativeNames(extension: Der): AlternativeNames {
  const names: AlternativeNames = { dns: [], uri: [], ip: [], email: [] };
  for (const value of readDer(readOnly(extension, derTags.sequence).content).readAll()) {
    const kind = textTags.get(value.tag);
    if (kind) names[kind].push(kind === "dns" ? readText(value).toLowerCase() : readText(value));
    if (value.tag === addressTag) names.ip.push(readAddress(value));
  }
  return names;
}

/** A type without a short name has its value in hexadecimal (RFC 4514, section 2.4). */
function attributeText({ content }: DerValue): string {
  const reader = readDer(content);
  const id = readObjectIdentifier(reader.read(derTags.objectIdentifier));
  const value = reader.read();
  reader.end();
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

/** A NUL or a comma with a space in a name has made others take it for another name, or two. */
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
