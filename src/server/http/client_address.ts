import { parseAddress } from "../util/addresses/address_spelling.ts";
import { isInNetwork, type Network, parseNetwork } from "../util/addresses/network.ts";
import { memoize } from "../util/values/memoize.ts";
import type { IncomingRequest } from "./incoming_request.ts";

/** How many addresses are remembered: a connection has one for all of its requests. */
const maxAddresses = 1000;

const parsePeer = memoize(parseAddress, maxAddresses);

/** The proxies whose `X-Forwarded-For` counts: on this machine, or with these addresses. */
export type TrustedProxies = "loopback" | readonly string[];

const loopback = ["127.0.0.0/8", "::1"];

/** Where a request comes from, as far as it is known. */
export interface RequestOrigin {
  /** The address of the peer itself. */
  peer: string | undefined;
  /** Whether the peer is a trusted proxy, so that its headers about the request count. */
  isForwarded: boolean;
  address: string | undefined;
}

export type ReadOrigin = (request: Pick<IncomingRequest, "peer" | "headers">) => RequestOrigin;

/**
 * Returns a function that finds the sender of a request. It looks through trusted proxies and
 * ignores what anyone else claims. If an entry is not an address, its proxy counts as the sender.
 */
export function createOriginReader(trustedProxies: TrustedProxies): ReadOrigin {
  const isProxy = createProxyTest(trustedProxies);
  return (request) => {
    const peer = request.peer === undefined ? undefined : parsePeer(request.peer);
    if (peer === undefined || !isProxy(peer)) return { peer, isForwarded: false, address: peer };
    const forwarded = request.headers.get("X-Forwarded-For")?.split(",") ?? [];
    let address = peer;
    while (forwarded.length > 0 && isProxy(address)) {
      const next = parseAddress(forwarded.pop() ?? "");
      if (next === undefined) break;
      address = next;
    }
    return { peer, isForwarded: true, address };
  };
}

/** Returns a function that checks whether a peer is one of the proxies. */
export function createProxyTest(proxies: TrustedProxies): (address: string) => boolean {
  const entries = proxies === "loopback" ? loopback : proxies;
  const networks = entries.map(parseNetwork).filter((one): one is Network => one !== undefined);
  const isProxy = (address: string) => networks.some((network) => isInNetwork(address, network));
  return memoize(isProxy, maxAddresses);
}
