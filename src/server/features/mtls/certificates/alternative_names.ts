import { parseAddress } from "../../../http/address_spelling.ts";
import { type Der, derTags } from "../../../util/bytes/der.ts";
import { toHex } from "../../../util/bytes/hex.ts";
import { CertificateError } from "./certificate_error.ts";
import { type DerValue, readDer, readOnly } from "./der_reader.ts";

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
