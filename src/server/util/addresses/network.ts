import { parseAddress } from "./address_spelling.ts";
import { ipv6Groups } from "./ip_address.ts";

/** A range of IP addresses, as `10.0.0.0/8` writes it. A single address is a range of one. */
export interface Network {
  /** Any address in it, as a number of 128 bits. */
  address: bigint;
  /** How many of the first bits all of its addresses have in common. */
  prefixLength: number;
}

/** Every address as one of IPv6: an IPv4 address is mapped to it (RFC 4291, section 2.5.5.2). */
const ipv4Prefix = 96;
const ipv6Bits = 128;

/** Parses an address or a network. A network of all addresses is refused: each sender is in it. */
export function parseNetwork(text: string): Network | undefined {
  const [, start = "", length] = /^([^/]*)(?:\/([1-9]\d{0,2}))?$/.exec(text.trim()) ?? [];
  const address = parseAddress(start);
  if (address === undefined) return undefined;
  const bits = addressBits(address);
  if (length === undefined) return { address: bits, prefixLength: ipv6Bits };
  const prefixLength = Number(length) + (address.includes(":") ? 0 : ipv4Prefix);
  return prefixLength <= ipv6Bits ? { address: bits, prefixLength } : undefined;
}

/** Whether an address that `parseAddress` returned belongs to a network. */
export function isInNetwork(address: string, network: Network): boolean {
  const rest = BigInt(ipv6Bits - network.prefixLength);
  return addressBits(address) >> rest === network.address >> rest;
}

/**
 * Returns the network that counts as one sender. For IPv6 that is a /48, the largest network that
 * one site is usually given (RFC 6177, section 2). A household with a /56 has 256 networks of size
 * /64, and would have as many budgets.
 */
export function senderNetwork(address: string): string {
  return address.includes(":") ? ipv6Groups(address).slice(0, 3).join(":") : address;
}

function addressBits(address: string): bigint {
  const groups = address.includes(":") ? ipv6Groups(address) : mappedGroups(address);
  return groups.reduce((bits, group) => bits << 16n | BigInt(group), 0n);
}

function mappedGroups(ipv4: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  return [0, 0, 0, 0, 0, 0xffff, a << 8 | b, c << 8 | d];
}
