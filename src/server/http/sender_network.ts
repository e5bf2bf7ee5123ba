import { ipv6Groups } from "../util/addresses/ip_address.ts";

/**
 * Returns the network that counts as one sender. For IPv6 that is a /48, the largest network that
 * one site is usually given (RFC 6177, section 2). A household with a /56 has 256 networks of size
 * /64, and would have as many budgets.
 */
export function senderNetwork(address: string): string {
  return address.includes(":") ? ipv6Groups(address).slice(0, 3).join(":") : address;
}
