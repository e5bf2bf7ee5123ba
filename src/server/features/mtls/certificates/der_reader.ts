import type { Der } from "../../../util/bytes/der.ts";

/** Why a certificate cannot be read or trusted. Operators and the log see the reason. */
export class CertificateError extends Error {
  override name = "CertificateError";
}

/** A value that was read from DER. */
export interface DerValue {
  /** The byte that names its type. */
  tag: number;
  content: Der;
  /** The value with its tag and its length. */
  encoded: Der;
}

/** Reads the values of a sequence in turn. */
export interface DerReader {
  /** Reads the next value, which must have this tag. Without a tag, it may have any. */
  read(tag?: number): DerValue;
  /** Reads the next value if it has this tag. */
  readOptional(tag: number): DerValue | undefined;
  /** Reads all that is left. */
  readAll(tag?: number): DerValue[];
  /** Throws if anything is left. */
  end(): void;
}

/** The bits of a tag that announce further bytes of it, which no certificate needs. */
const longTag = 0x1f;

/** The bit that announces how many bytes hold the length, and the most that may hold it. */
const longLength = 0x80;
const maxLengthBytes = 3;

/** The first bit of each byte of a number in an object identifier, but for its last. */
const continued = 0x80;

/** Far above any number in an object identifier, and below what loses digits. */
const maxArc = 2 ** 40;

/** Creates a reader of the values in a content. */
export function readDer(content: Der): DerReader {
  let rest = content;
  const next = () => {
    const value = readFirst(rest);
    rest = rest.subarray(value.encoded.length);
    return value;
  };
  const reader: DerReader = {
    read(tag) {
      const value = next();
      if (value.tag !== (tag ?? value.tag)) {
        throw new CertificateError("It has a value of another type.");
      }
      return value;
    },
    readOptional: (tag) => rest[0] === tag ? next() : undefined,
    readAll(tag) {
      const values = [];
      while (rest.length > 0) values.push(reader.read(tag));
      return values;
    },
    end() {
      if (rest.length > 0) throw new CertificateError("It has more values than expected.");
    },
  };
  return reader;
}

/** Reads a content that is one value. */
export function readOnly(content: Der, tag: number): DerValue {
  const reader = readDer(content);
  const value = reader.read(tag);
  reader.end();
  return value;
}

/** Reads an object identifier, such as "2.5.4.3". */
export function readObjectIdentifier({ content }: DerValue): string {
  const arcs: number[] = [];
  let arc: number | undefined;
  for (const byte of content) {
    // A leading zero would give one identifier two encodings.
    const isPadded = arc === undefined && byte === continued;
    arc = (arc ?? 0) * continued + byte % continued;
    if (isPadded || arc > maxArc) throw invalidIdentifier();
    if (byte >= continued) continue;
    arcs.push(arc);
    arc = undefined;
  }
  const [both, ...others] = arcs;
  if (both === undefined || arc !== undefined) throw invalidIdentifier();
  const first = Math.min(2, Math.floor(both / 40));
  return [first, both - first * 40, ...others].join(".");
}

/** Reads a bit string of whole bytes. */
export function readBytes({ content }: DerValue): Der {
  if (content[0] !== 0) throw new CertificateError("It has bits that fill no byte.");
  return content.subarray(1);
}

/** Reads a boolean. DER knows one encoding of each. */
export function readBoolean({ content }: DerValue): boolean {
  const [byte] = content;
  if (content.length !== 1 || byte !== 0 && byte !== 0xff) {
    throw new CertificateError("It has a value that is neither true nor false.");
  }
  return byte === 0xff;
}

/** Returns the digits of a positive integer, without the byte that only makes it positive. */
export function readDigits({ content }: DerValue): Der {
  const [first = 0x80, second = 0] = content;
  const isPadded = first === 0 && content.length > 1;
  if (first >= 0x80 || isPadded && second < 0x80) {
    throw new CertificateError("It has a number that is negative, or has too many digits.");
  }
  return isPadded ? content.subarray(1) : content;
}

function readFirst(bytes: Der): DerValue {
  const [tag, length] = bytes;
  if (tag === undefined || length === undefined || (tag & longTag) === longTag) {
    throw new CertificateError("It ends too early, or has a type that no certificate has.");
  }
  const start = length < longLength ? 2 : 2 + length - longLength;
  const size = length < longLength ? length : readLength(bytes.subarray(2, start), start - 2);
  const end = start + size;
  if (end > bytes.length) throw new CertificateError("It ends too early.");
  return { tag, content: bytes.subarray(start, end), encoded: bytes.subarray(0, end) };
}

/** Reads a long length, which DER writes with as few bytes as possible (ITU-T X.690, 10.1). */
function readLength(bytes: Der, expected: number): number {
  const [first = 0] = bytes;
  const size = bytes.reduce((sum, byte) => sum * 0x100 + byte, 0);
  const isComplete = bytes.length === expected && expected > 0 && expected <= maxLengthBytes;
  if (!isComplete || first === 0 || size < longLength) {
    throw new CertificateError("It has a length that is not as DER writes it.");
  }
  return size;
}

function invalidIdentifier(): CertificateError {
  return new CertificateError("It has an object identifier that is not as DER writes it.");
}
