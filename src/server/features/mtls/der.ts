import type { Der } from "../../util/bytes/der.ts";

/** Why a certificate cannot be read or trusted. Operators and the log see the reason. */
export class CertificateError extends Error {
  override name = "CertificateError";
}

/** Far above any number in an object identifier, and below what loses digits. */
const maxArc = 2 ** 40;

/** A value that was read from DER: the byte that names its type, its content, and all of it. */
export interface DerValue {
  tag: number;
  content: Der;
  encoded: Der;
}

/** The tag of a value that must be there; in brackets, of one that may be left out. */
type DerField = number | readonly [optional: number];

/** Reads all values in some content. If a tag is given, each must have it. */
export function readAll(content: Der, tag?: number): DerValue[] {
  const values: DerValue[] = [];
  for (let rest = content; rest.length > 0; rest = rest.subarray(values.at(-1)?.encoded.length)) {
    values.push(readFirst(rest));
    if (tag !== undefined && values.at(-1)?.tag !== tag) throw malformed("value of another type");
  }
  return values;
}

/** Reads the fields of a sequence, and nothing else. */
export function readFields<const Fields extends readonly DerField[]>(
  { content }: { content: Der },
  ...fields: Fields
): { [At in keyof Fields]: Fields[At] extends number ? DerValue : DerValue | undefined } {
  const values = readAll(content);
  const found = fields.map((field) => {
    const [tag] = [field].flat();
    if (values[0]?.tag === tag) return values.shift();
    if (typeof field === "number") throw malformed("value of another type, or ends too early");
    return undefined;
  });
  if (values.length > 0) throw malformed("surplus value");
  return found as { [At in keyof Fields]: Fields[At] extends number ? DerValue : undefined };
}

export function readOnly(content: Der, tag: number): DerValue {
  return readFields({ content }, tag)[0];
}

/** Reads an object identifier, such as "2.5.4.3". Neither it nor an arc has two encodings. */
export function readId({ content }: DerValue): string {
  const arcs: number[] = [];
  let arc = 0;
  content.forEach((byte, at) => {
    const startsArc = at === 0 || (content[at - 1] ?? 0) < 0x80;
    // A leading 0x80 would write the same number with one more byte (ITU-T X.690, 8.19.2).
    if (startsArc && byte === 0x80 || arc > maxArc) throw malformedId();
    arc = arc * 0x80 + (byte & 0x7f);
    if (byte >= 0x80) return;
    arcs.push(arc);
    arc = 0;
  });
  const [both, ...others] = arcs;
  if (both === undefined || (content.at(-1) ?? 0x80) >= 0x80) throw malformedId();
  // The first two arcs share a number (ITU-T X.690, 8.19.4).
  const first = Math.min(2, Math.floor(both / 40));
  return [first, both - first * 40, ...others].join(".");
}

function malformedId(): CertificateError {
  return malformed("malformed object identifier");
}

/** Reads a bit string of whole bytes. */
export function readBytes({ content }: DerValue): Der {
  if (content[0] !== 0) throw malformed("bit string that does not fill its bytes");
  return content.subarray(1);
}

/** Reads a boolean; DER has one encoding for each value. Returns false if it is left out. */
export function readBoolean(
  { content }: { content: Der } = { content: Uint8Array.of(0) },
): boolean {
  if (content.length !== 1 || ![0, 0xff].includes(content[0] ?? 1)) {
    throw malformed("value that is neither true nor false");
  }
  return content[0] === 0xff;
}

/** Returns the digits of a positive integer, without the byte that only makes it positive. */
export function readDigits({ content }: DerValue): Der {
  const [first = 0x80, second = 0] = content;
  const isPadded = first === 0 && content.length > 1;
  if (first >= 0x80 || isPadded && second < 0x80) {
    throw malformed("number that is negative, or has too many digits");
  }
  return isPadded ? content.subarray(1) : content;
}

/** Reads one value. No certificate has tags of several bytes, or lengths of more than three. */
function readFirst(bytes: Der): DerValue {
  const [tag = 0xff, length = 0] = bytes;
  const start = length < 0x80 ? 2 : length - 0x7e;
  const digits = bytes.subarray(2, start);
  const size = length < 0x80 ? length : digits.reduce((sum, byte) => sum * 0x100 + byte, 0);
  // DER writes a length with as few bytes as possible (ITU-T X.690, 10.1).
  const isLong = length >= 0x80 && (start < 3 || start > 5 || digits[0] === 0 || size < 0x80);
  if ((tag & 0x1f) === 0x1f || isLong || start + size > bytes.length) {
    throw malformed("value that ends too early, or is not DER");
  }
  return {
    tag,
    content: bytes.subarray(start, start + size),
    encoded: bytes.subarray(0, start + size),
  };
}

function malformed(what: string): CertificateError {
  return new CertificateError(`It has a ${what}.`);
}
