import { ipv6Groups } from "../server/util/addresses/ip_address.ts";
import { parseUrl } from "../server/util/addresses/uri.ts";
import {
  type Der,
  derBitString,
  derBoolean,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derSet,
  derTagged,
  derText,
  derTime,
  toPem,
} from "../server/util/bytes/der.ts";
import { day, hour } from "../server/util/time/duration.ts";

/** A certificate for a lab that listens with TLS, with the authority that signed it, in PEM. */
export interface LabCertificate {
  cert: string;
  key: string;
  /** The certificate of the authority, for clients to trust. Its key no longer exists. */
  ca: string;
}

/** What one certificate states. */
interface CertificateContent {
  subject: string;
  issuer: string;
  publicKey: CryptoKey;
  /** Signs the certificate. */
  signer: CryptoKeyPair;
  extensions: readonly Der[];
}

/** The addresses of a lab. */
interface CertifiedAddresses {
  issuer?: string | undefined;
  frontChannelUrl?: string | undefined;
  backChannelUrl?: string | undefined;
}

const authorityName = "Hallpass lab, for tests only";
const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" };
const signatureAlgorithm = derSequence(derObjectIdentifier("1.2.840.10045.4.3.2"));

const objectIdentifiers = {
  commonName: "2.5.4.3",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
};

/** The bits of the key usage (RFC 5280, section 4.2.1.3), with how many of a byte do not count. */
const digitalSignature = derBitString([0b1000_0000], 7);
const certificateSigning = derBitString([0b0000_0100], 2);

/** The tags of a general name (RFC 5280, section 4.2.1.6). */
const dnsNameTag = 0x82;
const ipAddressTag = 0x87;

/** Returns the hosts at which a lab can be reached: this machine, and those of its addresses. */
export function hostsOf(
  { issuer, frontChannelUrl, backChannelUrl }: CertifiedAddresses,
  listensOn?: string,
): string[] {
  const own = [issuer, frontChannelUrl, backChannelUrl, listensOn && `https://${listensOn}`]
    .flatMap((address) => parseUrl(address ?? "")?.hostname ?? []);
  return [...new Set(["localhost", "127.0.0.1", "[::1]", ...own])];
}

/**
 * Makes a certificate that is valid for a day, and an authority for it alone: several TLS libraries
 * accept no server certificate that signs itself. The hosts are written as in URLs.
 */
export async function makeLabCertificate(hosts: readonly string[]): Promise<LabCertificate> {
  const authority = await makeKeyPair();
  const server = await makeKeyPair();
  const ca = await signCertificate({
    subject: authorityName,
    issuer: authorityName,
    publicKey: authority.publicKey,
    signer: authority,
    extensions: [
      extension("basicConstraints", derSequence(derBoolean(true)), true),
      extension("keyUsage", certificateSigning, true),
      extension("subjectKeyIdentifier", derOctetString(await keyIdOf(authority))),
    ],
  });
  const cert = await signCertificate({
    subject: hosts[0] ?? "localhost",
    issuer: authorityName,
    publicKey: server.publicKey,
    signer: authority,
    extensions: [
      extension("basicConstraints", derSequence(), true),
      extension("keyUsage", digitalSignature, true),
      extension(
        "extendedKeyUsage",
        derSequence(derObjectIdentifier(objectIdentifiers.serverAuth)),
      ),
      extension("subjectAltName", derSequence(...hosts.map(generalName))),
      extension("authorityKeyIdentifier", derSequence(derTagged(0x80, await keyIdOf(authority)))),
    ],
  });
  const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", server.privateKey));
  return {
    cert: toPem("CERTIFICATE", cert),
    key: toPem("PRIVATE KEY", key),
    ca: toPem("CERTIFICATE", ca),
  };
}

async function makeKeyPair(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
}

/** Signs a certificate (RFC 5280, section 4.1). It uses the clock of the machine, as clients do. */
async function signCertificate(content: CertificateContent): Promise<Der> {
  const { subject, issuer, publicKey, signer, extensions } = content;
  const now = Date.now();
  const version3 = derTagged(0xa0, derInteger([2]));
  const toBeSigned = derSequence(
    version3,
    derInteger([1, ...crypto.getRandomValues(new Uint8Array(15))]),
    signatureAlgorithm,
    nameOf(issuer),
    derSequence(derTime(new Date(now - 1 * hour * 1000)), derTime(new Date(now + 1 * day * 1000))),
    nameOf(subject),
    new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)),
    derTagged(0xa3, derSequence(...extensions)),
  );
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = await crypto.subtle.sign(algorithm, signer.privateKey, toBeSigned);
  return derSequence(
    toBeSigned,
    signatureAlgorithm,
    derBitString(signatureValue(new Uint8Array(signature))),
  );
}

/** WebCrypto returns both numbers of a signature side by side; a certificate holds a sequence. */
function signatureValue(signature: Uint8Array): Der {
  const half = signature.length / 2;
  return derSequence(derInteger(signature.slice(0, half)), derInteger(signature.slice(half)));
}

function nameOf(commonName: string): Der {
  const type = derObjectIdentifier(objectIdentifiers.commonName);
  return derSequence(derSet(derSequence(type, derText(commonName))));
}

function extension(
  name: keyof typeof objectIdentifiers,
  value: Der,
  critical = false,
): Der {
  const id = derObjectIdentifier(objectIdentifiers[name]);
  const parts = critical ? [id, derBoolean(true)] : [id];
  return derSequence(...parts, derOctetString(value));
}

/** Returns an id of a key (RFC 7093, section 2, method 1). */
async function keyIdOf({ publicKey }: CryptoKeyPair): Promise<Uint8Array> {
  const key = await crypto.subtle.exportKey("raw", publicKey);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", key)).slice(0, 20);
}

function generalName(host: string): Der {
  const address = addressBytes(host);
  return address
    ? derTagged(ipAddressTag, address)
    : derTagged(dnsNameTag, new TextEncoder().encode(host));
}

/** Returns the bytes of an IP address, written as the host of a URL; undefined for other names. */
function addressBytes(host: string): number[] | undefined {
  if (host.startsWith("[")) {
    return ipv6Groups(host.slice(1, -1)).flatMap((group) => [group >> 8, group & 0xff]);
  }
  return /^\d+(?:\.\d+){3}$/.test(host) ? host.split(".").map(Number) : undefined;
}
