import { ipv6Groups } from "../../server/util/addresses/ip_address.ts";
import {
  type Der,
  derBitString,
  derBoolean,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derTagged,
} from "../../server/util/bytes/der.ts";
import { isIpAddress } from "../util/own_addresses.ts";

const objectIdentifiers = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
};

const serverAuth = derObjectIdentifier("1.3.6.1.5.5.7.3.1");

/** The tags of a general name (RFC 5280, section 4.2.1.6). */
const dnsNameTag = 0x82;
const ipAddressTag = 0x87;

/**
 * The bits of the key usage (RFC 5280, section 4.2.1.3), and how many bits of the byte are unused.
 */
export const digitalSignature: Der = derBitString([0b1000_0000], 7);
export const certificateSigning: Der = derBitString([0b0000_0100], 2);

/** The id of a key, as certificates name it. */
type KeyId = Uint8Array;

/**
 * Returns the extensions of an authority that may only sign certificates of servers with these
 * hosts. The constraints are critical: clients that do not support them must reject the authority.
 */
export function authorityExtensions(hosts: readonly string[], keyId: KeyId): Der[] {
  const withoutIntermediates = derInteger([0]);
  return [
    extension("basicConstraints", derSequence(derBoolean(true), withoutIntermediates), true),
    extension("keyUsage", certificateSigning, true),
    extension("extendedKeyUsage", derSequence(serverAuth)),
    extension("nameConstraints", nameConstraints(hosts), true),
    subjectKey(keyId),
  ];
}

export function subjectKey(keyId: KeyId): Der {
  return extension("subjectKeyIdentifier", derOctetString(keyId));
}

/** Names the key that signed a certificate. */
export function authorityKey(keyId: KeyId): Der {
  return extension("authorityKeyIdentifier", derSequence(derTagged(0x80, keyId)));
}

/** Returns the extensions of a server with these hosts, signed by the authority with a key. */
export function serverExtensions(hosts: readonly string[], authorityKeyId: KeyId): Der[] {
  return [
    extension("basicConstraints", derSequence(), true),
    extension("keyUsage", digitalSignature, true),
    extension("extendedKeyUsage", derSequence(serverAuth)),
    extension("subjectAltName", derSequence(...hosts.map(generalName))),
    authorityKey(authorityKeyId),
  ];
}

/**
 * Encodes the names that an authority may sign (RFC 5280, section 4.2.1.10). Bun's TLS (BoringSSL)
 * knows no constraint of addresses, and refuses a certificate with an address if there is one. So
 * an authority for addresses may sign any of them.
 */
function nameConstraints(hosts: readonly string[]): Der {
  const names = hosts.filter((host) => !isIpAddress(host));
  const permitted = derTagged(0xa0, subtrees(names.map(generalName)));
  if (names.length < hosts.length) return derSequence(permitted);
  return derSequence(permitted, derTagged(0xa1, subtrees([everyAddress(4), everyAddress(6)])));
}

function subtrees(names: readonly Der[]): number[] {
  return names.flatMap((name) => [...derSequence(name)]);
}

export function extension(
  name: keyof typeof objectIdentifiers,
  value: Der,
  critical = false,
): Der {
  const id = derObjectIdentifier(objectIdentifiers[name]);
  const parts = critical ? [id, derBoolean(true)] : [id];
  return derSequence(...parts, derOctetString(value));
}

/** Encodes a host, written as in URLs, as a certificate names it. */
function generalName(host: string): Der {
  return isIpAddress(host)
    ? derTagged(ipAddressTag, addressBytes(host))
    : derTagged(dnsNameTag, new TextEncoder().encode(host));
}

/** Every address of one family, as a constraint names them (RFC 5280, section 4.2.1.10). */
function everyAddress(family: 4 | 6): Der {
  return derTagged(ipAddressTag, new Uint8Array(family === 4 ? 8 : 32));
}

function addressBytes(host: string): number[] {
  if (!host.startsWith("[")) return host.split(".").map(Number);
  return ipv6Groups(host.slice(1, -1)).flatMap((group) => [group >> 8, group & 0xff]);
}
