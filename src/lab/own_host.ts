import { isLoopbackHost } from "../util/uri.ts";

/**
 * Whether a host can only mean the lab: one of its addresses, loopback, or an IP address. Whoever
 * owns another name can give it the address of this machine, and read the lab with a page of that
 * name (DNS rebinding).
 */
export function isOwnHost(hostname: string, addresses: readonly string[]): boolean {
  return isLoopbackName(hostname) || isIpAddress(hostname) ||
    addresses.some((address) => new URL(address).hostname === hostname);
}

/** This machine; every name below `localhost` means it as well (RFC 6761, section 6.3). */
export function isLoopbackName(hostname: string): boolean {
  return isLoopbackHost(hostname) || hostname.endsWith(".localhost");
}

/** As the URL parser writes it. */
function isIpAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

/** Says where a lab is found, and how it gets another address. */
export function describeAddresses(hostname: string, addresses: readonly string[]): string {
  return `This lab is found at ${addresses.join(" and ")}, and not at '${hostname}'. ` +
    "If that name is to be an address of the lab, start it with --issuer, --front-channel or " +
    "--back-channel (issuer, frontChannelUrl or backChannelUrl in TypeScript).";
}
