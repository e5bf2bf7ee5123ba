import { ipv6Groups } from "../util/ip_address.ts";

/** A request, with the address it came from where the runtime knows it. */
interface RequestWithAddress {
  ip?: string;
}

/** Notes the address of the peer on a request. */
export function withAddress(request: Request, ip: string | undefined): Request {
  return Object.assign<Request, RequestWithAddress>(request, { ip });
}

/** The address of the peer itself. */
export function peerAddress(request: Request & RequestWithAddress): string | undefined {
  return request.ip === undefined ? undefined : parseAddress(request.ip);
}

/**
 * Returns a function that tells where a request comes from. It looks through trusted proxies, and
 * ignores what anyone else claims. An entry that is no address ends the walk: its proxy is the sender.
 */
export function addressReader(
  trustedProxies: readonly string[],
): (request: Request) => string | undefined {
  const trusted = new Set(trustedProxies.map(parseAddress));
  return (request) => {
    const forwarded = request.headers.get("X-Forwarded-For")?.split(",") ?? [];
    let address = peerAddress(request);
    while (address !== undefined && trusted.has(address) && forwarded.length > 0) {
      const next = parseAddress(forwarded.pop()!);
      if (next === undefined) return address;
      address = next;
    }
    return address;
  };
}

/**
 * Reads an address in any spelling that a socket or a proxy uses: with a port, in brackets, with a
 * zone, or IPv4 as an IPv6 socket writes it. Each address comes out in one spelling only.
 */
export function parseAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(text.trim()) ?? [];
  if (ipv4 !== undefined) return parseIpv4(ipv4);
  return parseIpv6(bracketed ?? text.trim());
}

function parseIpv4(text: string): string | undefined {
  return text.split(".").every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
    ? text
    : undefined;
}

function parseIpv6(text: string): string | undefined {
  const [, address] = /^([\da-f:.]+)(?:%.+)?$/i.exec(text) ?? [];
  const url = `http://[${address}]/`;
  if (!address?.includes(":") || !URL.canParse(url)) return undefined;
  const canonical = new URL(url).hostname.slice(1, -1);
  const groups = ipv6Groups(canonical);
  return isMapped(groups)
    ? [groups[6] >> 8, groups[6] & 255, groups[7] >> 8, groups[7] & 255].join(".")
    : canonical;
}

/** Whether it is an IPv4 address as IPv6 sockets write it (RFC 4291, section 2.5.5.2). */
function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 6).join() === "0,0,0,0,0,65535";
}

/**
 * The network that counts as one sender. For IPv6 that is a /48, the largest network that one site
 * is usually given (RFC 6177, section 2): a household with a /56 has 256 networks of size /64, and
 * would have as many budgets.
 */
export function networkOf(address: string): string {
  return address.includes(":") ? ipv6Groups(address).slice(0, 3).join(":") : address;
}
