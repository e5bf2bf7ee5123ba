import { ipv6Groups } from "../../server/util/addresses/ip_address.ts";
import { type Der, derTagged } from "../../server/util/bytes/der.ts";

/** The tags of a general name (RFC 5280, section 4.2.1.6). */
const dnsNameTag = 0x82;
const ipAddressTag = 0x87;

/** Encodes a host, written as in URLs, as a certificate names it. */
export function generalName(host: string): Der {
  const address = addressBytes(host);
  return address
    ? derTagged(ipAddressTag, address)
    : derTagged(dnsNameTag, new TextEncoder().encode(host));
}

/** Every address of one family, as a constraint names them (RFC 5280, section 4.2.1.10). */
export function everyAddress(family: 4 | 6): Der {
  return derTagged(ipAddressTag, new Uint8Array(family === 4 ? 8 : 32));
}

/** Whether a host is an IP address, as URLs write it. */
export function isAddress(host: string): boolean {
  return addressBytes(host) !== undefined;
}

/** Returns the bytes of an IP address; undefined for other names. */
function addressBytes(host: string): number[] | undefined {
  if (host.startsWith("[")) {
    return ipv6Groups(host.slice(1, -1)).flatMap((group) => [group >> 8, group & 0xff]);
  }
  return /^\d+(?:\.\d+){3}$/.test(host) ? host.split(".").map(Number) : undefined;
}
