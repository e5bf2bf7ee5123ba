import { memoize } from "../util/values/memoize.ts";
import { parseAddress } from "./address_spelling.ts";
import type { IncomingRequest } from "./incoming_request.ts";
import { isInNetwork, type Network, parseNetwork } from "./network.ts";

/** How many addresses are remembered: a connection has one for all of its requests. */
const maxAddresses = 1000;

const parsePeer = memoize(parseAddress, maxAddresses);

/** Returns the address of the peer itself. */
export function peerAddress({ peer }: Pick<IncomingRequest, "peer">): string | undefined {
  return peer === undefined ? undefined : parsePeer(peer);
}

/** The proxies whose `X-Forwarded-For` counts: on this machine, or with these addresses. */
export type TrustedProxies = "loopback" | readonly string[];

/** Returns a function that tells whether a peer is a trusted proxy. */
export function createProxyTest(trustedProxies: TrustedProxies): (address: string) => boolean {
  const entries = trustedProxies === "loopback" ? loopback : trustedProxies;
  const networks = entries.map(parseNetwork).filter((one): one is Network => one !== undefined);
  const isProxy = (address: string) => networks.some((network) => isInNetwork(address, network));
  return memoize(isProxy, maxAddresses);
}

const loopback = ["127.0.0.0/8", "::1"];

/** What an address is read from. */
type AddressedMessage = Pick<IncomingRequest, "peer" | "headers">;

/** Returns the address that a request comes from, or undefined if it is unknown. */
export type ReadAddress = (request: AddressedMessage) => string | undefined;

/**
 * Returns a function that finds the sender of a request. It looks through trusted proxies and
 * ignores what anyone else claims. If an entry is not an address, its proxy counts as the sender.
 */
export function createAddressReader(trustedProxies: TrustedProxies): ReadAddress {
  const isProxy = createProxyTest(trustedProxies);
  return (request) => {
    let address = peerAddress(request);
    // Untestable (the condition became false): it only saves time, as the loop below ends at once.
    if (address === undefined || !isProxy(address)) return address;
    const forwarded = request.headers.get("X-Forwarded-For")?.split(",") ?? [];
    while (address !== undefined && isProxy(address)) {
      const next = parseAddress(forwarded.pop() ?? "");
      if (next === undefined) return address;
      address = next;
    }
    return address;
  };
}
