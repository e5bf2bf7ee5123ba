import { derTags } from "../../../util/bytes/der.ts";
import { toHex } from "../../../util/bytes/hex.ts";
import { decodeUtf8 } from "../../../util/bytes/utf8.ts";
import { CertificateError } from "./certificate_error.ts";
import { type DerValue, readDer, readObjectIdentifier } from "./der_reader.ts";
import { escapeValue, shortNames, writeLevels } from "./distinguished_name.ts";

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
