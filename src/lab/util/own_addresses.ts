import { isLoopbackName } from "../../server/util/addresses/uri.ts";

/**
 * Whether a host can only mean the lab: one of its addresses, loopback, or an IP address. The owner
 * of any other name could point it at this machine, and read the lab with a page of that name (DNS
 * rebinding).
 */
export function isOwnHost(hostname: string, addresses: readonly string[]): boolean {
  return isLoopbackName(hostname) || isIpAddress(hostname) ||
    addresses.some((address) => new URL(address).hostname === hostname);
}

/** Explains which addresses a lab has, and how to give it another one. */
export function describeAddresses(hostname: string, addresses: readonly string[]): string {
  return `'${hostname}' is not an address of this lab, which is at ${addresses.join(" and ")}. ` +
    "To add an address, start the lab with --issuer, --front-channel or --back-channel " +
    "(in TypeScript: issuer, frontChannelUrl or backChannelUrl).";
}

/** Whether a host is an IP address, as the URL parser writes it. */
export function isIpAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

/** Whether a URL has the origin of one of the addresses of a lab. */
export function isAddress(url: string, addresses: readonly string[]): boolean {
  const { origin } = new URL(url);
  return addresses.some((address) => new URL(address).origin === origin);
}

/** Explains which addresses a lab has, for a URL with the origin of none of them. */
export function describeForeignUrl(url: string, addresses: readonly string[]): string {
  const list = addresses.join(", ");
  return `'${url.split("?")[0]}' is not an address of this lab. Its addresses: ${list}`;
}
