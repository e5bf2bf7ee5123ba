import { type Ipv6Groups, ipv6Groups } from "./ip_address.ts";

/**
 * Parses an address in any spelling that a socket or a proxy uses: with a port, in brackets, with a
 * zone, or IPv4 mapped to IPv6. Equal addresses are returned in the same spelling.
 */
export function parseAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(text.trim()) ?? [];
  if (ipv4 !== undefined) return parseIpv4(ipv4);
  return parseIpv6(bracketed ?? text.trim());
}

function parseIpv4(text: string): string | undefined {
  const isByte = (part: string) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256;
  return text.split(".").every(isByte) ? text : undefined;
}

function parseIpv6(text: string): string | undefined {
  const [, address] = /^([\da-f:.]+)(?:%.+)?$/i.exec(text) ?? [];
  const url = `http://[${address}]/`;
  if (!address?.includes(":") || !URL.canParse(url)) return undefined;
  const normalized = new URL(url).hostname.slice(1, -1);
  return mappedIpv4(ipv6Groups(normalized)) ?? normalized;
}

/** Returns the IPv4 address that an IPv6 socket reports as IPv6 (RFC 4291, section 2.5.5.2). */
function mappedIpv4(groups: Ipv6Groups): string | undefined {
  if (groups.slice(0, 6).join() !== "0,0,0,0,0,65535") return undefined;
  const [high, low] = [groups[6], groups[7]];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
