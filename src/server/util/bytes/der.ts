/** A value in DER, the encoding of certificates (ITU-T X.690). */
export type Der = Uint8Array<ArrayBuffer>;

/** The tags of the values in keys and certificates. */
export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const maxShortLength = 0x7f;

/** Encodes values one after another. */
export function derSequence(...values: readonly Der[]): Der {
  return encode(derTags.sequence, values.flatMap((value) => [...value]));
}

export function derSet(value: Der): Der {
  return encode(derTags.set, value);
}

export function derBoolean(value: boolean): Der {
  return encode(derTags.boolean, [value ? 0xff : 0]);
}

/** Encodes a positive integer, given as big-endian bytes. */
export function derInteger(bytes: Iterable<number>): Der {
  const all = [...bytes];
  const first = all.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? [0] : all.slice(first);
  // A first bit of 1 would make it negative.
  return encode(derTags.integer, (digits[0] ?? 0) > maxShortLength ? [0, ...digits] : digits);
}

/** Encodes bits; the last `unused` of them do not count. */
export function derBitString(bytes: Iterable<number>, unused = 0): Der {
  return encode(derTags.bitString, [unused, ...bytes]);
}

export function derOctetString(bytes: Iterable<number>): Der {
  return encode(derTags.octetString, bytes);
}

export function derNull(): Der {
  return encode(derTags.null, []);
}

export function derText(text: string): Der {
  return encode(derTags.utf8String, new TextEncoder().encode(text));
}

/** Encodes an instant of the years 1950 to 2049 (RFC 5280, section 4.1.2.5.1). */
export function derTime(instant: Date): Der {
  const digits = instant.toISOString().replace(/\.\d+|[-:T]/g, "").slice(2);
  return encode(derTags.utcTime, new TextEncoder().encode(digits));
}

/** Encodes an object identifier such as "1.2.840.10045.4.3.2". */
export function derObjectIdentifier(text: string): Der {
  const [first = 0, second = 0, ...others] = text.split(".").map(Number);
  return encode(derTags.objectIdentifier, [40 * first + second, ...others.flatMap(toBase128)]);
}

/** Encodes a value under a tag that its context defines. */
export function derTagged(tag: number, content: Iterable<number>): Der {
  return encode(tag, content);
}

/** Writes DER as PEM (RFC 7468). */
export function toPem(label: string, der: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...der));
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

function encode(tag: number, content: Iterable<number>): Der {
  const bytes = [...content];
  return new Uint8Array([tag, ...lengthOf(bytes.length), ...bytes]);
}

function lengthOf(length: number): number[] {
  if (length <= maxShortLength) return [length];
  const bytes = [];
  for (let rest = length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

/** Writes a number in groups of seven bits; all but the last group begin with a 1. */
function toBase128(value: number): number[] {
  const groups = [value & maxShortLength];
  for (let rest = value >> 7; rest > 0; rest >>= 7) groups.unshift(0x80 | rest & maxShortLength);
  return groups;
}
