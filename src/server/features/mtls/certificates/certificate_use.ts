import { type Der, derTags } from "../../../util/bytes/der.ts";
import {
  CertificateError,
  type DerValue,
  readBoolean,
  readDer,
  readDigits,
  readObjectIdentifier,
  readOnly,
} from "./der_reader.ts";

/** The extensions of a certificate, by their object identifiers. */
type Extensions = ReadonlyMap<string, { isCritical: boolean; value: Der }>;

/** What the key of a certificate may be used for, as its extensions name it. */
export interface CertificateUse {
  /** Whether it is the certificate of an authority. */
  isAuthority: boolean;
  /** How many authorities may be between this one and the certificate of a client. */
  maxAuthorities: number;
  signsCertificates: boolean;
  signsMessages: boolean;
  authenticatesClients: boolean;
  /** Whether it limits the names below it. That is not checked here, so it is not ignored. */
  constrainsNames: boolean;
  /** Whether it has a critical extension that is not checked here (RFC 5280, section 4.2). */
  hasUnknownCondition: boolean;
}

/** The identifiers of the extensions that are read. */
export const extensionIds = {
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
};

const nameConstraints = "2.5.29.30";

/** What may be critical, because it is checked. Names may be, where there is no subject. */
const checked: readonly string[] = Object.values(extensionIds);

/** `clientAuth` and `anyExtendedKeyUsage` (RFC 5280, section 4.2.1.12). */
const clientPurposes = ["1.3.6.1.5.5.7.3.2", "2.5.29.37.0"];

/** The bits of a key usage, from the left (RFC 5280, section 4.2.1.3). */
const digitalSignature = 0;
const keyCertSign = 5;

/** Reads the extensions of a certificate, of which each may come once. */
export function readExtensions(tagged: DerValue | undefined): Extensions {
  const extensions = new Map<string, { isCritical: boolean; value: Der }>();
  if (!tagged) return extensions;
  const list = readDer(readOnly(tagged.content, derTags.sequence).content);
  for (const { content } of list.readAll(derTags.sequence)) {
    const reader = readDer(content);
    const id = readObjectIdentifier(reader.read(derTags.objectIdentifier));
    const critical = reader.readOptional(derTags.boolean);
    const { content: value } = reader.read(derTags.octetString);
    reader.end();
    if (extensions.has(id)) throw new CertificateError("It has an extension twice.");
    extensions.set(id, { isCritical: critical !== undefined && readBoolean(critical), value });
  }
  return extensions;
}

/** Reads what a key may be used for. Without an extension, its use is not restricted. */
export function readUse(extensions: Extensions): CertificateUse {
  const hasBit = readKeyUsage(extensions);
  return {
    ...readConstraints(extensions),
    signsCertificates: hasBit(keyCertSign),
    signsMessages: hasBit(digitalSignature),
    authenticatesClients: readPurposes(extensions).some((each) => clientPurposes.includes(each)),
    constrainsNames: extensions.has(nameConstraints),
    hasUnknownCondition: [...extensions].some(([id, { isCritical }]) =>
      isCritical && !checked.includes(id)
    ),
  };
}

/** Without the extension, a certificate is none of an authority. */
function readConstraints(
  extensions: Extensions,
): Pick<CertificateUse, "isAuthority" | "maxAuthorities"> {
  const value = extensions.get(extensionIds.basicConstraints)?.value;
  if (!value) return { isAuthority: false, maxAuthorities: 0 };
  const reader = readDer(readOnly(value, derTags.sequence).content);
  const flag = reader.readOptional(derTags.boolean);
  const length = reader.readOptional(derTags.integer);
  reader.end();
  return {
    isAuthority: flag !== undefined && readBoolean(flag),
    maxAuthorities: length ? readNumber(readDigits(length)) : Infinity,
  };
}

function readNumber(digits: Uint8Array): number {
  return digits.reduce((sum, byte) => sum * 0x100 + byte, 0);
}

function readKeyUsage(extensions: Extensions): (bit: number) => boolean {
  const value = extensions.get(extensionIds.keyUsage)?.value;
  if (!value) return () => true;
  const [unused, bits] = readOnly(value, derTags.bitString).content;
  if (unused === undefined || bits === undefined) {
    throw new CertificateError("It has a key usage without a use.");
  }
  return (bit) => (bits & 0x80 >> bit) !== 0;
}

function readPurposes(extensions: Extensions): readonly string[] {
  const value = extensions.get(extensionIds.extendedKeyUsage)?.value;
  if (!value) return clientPurposes;
  const list = readDer(readOnly(value, derTags.sequence).content);
  return list.readAll(derTags.objectIdentifier).map(readObjectIdentifier);
}
