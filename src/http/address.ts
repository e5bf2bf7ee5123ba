import { groupsOf } from "../protocol/public_address.ts";

/** A request, with the address it came from where the runtime knows it. */
interface Addressed {
  ip?: string;
}

/** Notes the address of the peer on a request. */
export function withAddress(request: Request, ip: string | undefined): Request {
  return Object.assign<Request, Addressed>(request, { ip });
}

/** Tells where a request comes from. Proxies that are trusted are looked through; what anybody else claims is ignored. */
export function addressReader(trustedProxies: readonly string[]): (request: Request) => string | undefined {
  return (request: Request & Addressed) => {
    const forwarded = request.headers.get("X-Forwarded-For")?.split(",").map((address) => address.trim()) ?? [];
    let address = request.ip;
    while (address !== undefined && trustedProxies.includes(address) && forwarded.length > 0) address = forwarded.pop();
    return address;
  };
}

/** The network that counts as one sender: of IPv6 one household has a whole /64. */
export function networkOf(address: string): string {
  const url = `http://[${address}]/`;
  // What holds dots is an IPv4 address, in however many colons it is wrapped.
  if (address.includes(".") || !URL.canParse(url)) return address;
  return groupsOf(new URL(url).hostname.slice(1, -1)).slice(0, 4).join(":");
}
