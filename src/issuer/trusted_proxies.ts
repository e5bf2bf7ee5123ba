import type { ServerEvent } from "../config/events.ts";
import { senderNetwork } from "../http/address_spelling.ts";
import {
  createAddressReader,
  createProxyTest,
  peerAddress,
  type TrustedProxies,
} from "../http/client_address.ts";

/** Returns the network that a request comes from, or undefined if the address is unknown. */
export type AddressOf = (request: Request) => string | undefined;

/** Creates the function whose results every budget per sender counts by. */
export function createAddressOf(trustedProxies: TrustedProxies): AddressOf {
  const addressOf = createAddressReader(trustedProxies);
  return (request) => {
    const address = addressOf(request);
    return address === undefined ? undefined : senderNetwork(address);
  };
}

/**
 * Reports once that a peer forwards requests but is not trusted. If it is a proxy, everyone behind
 * it counts as one sender, and one of them can use up the budgets of all.
 */
export function createProxyWatch(
  trustedProxies: TrustedProxies,
  emit: (event: ServerEvent) => void,
): (request: Request) => void {
  const isProxy = createProxyTest(trustedProxies);
  let hasReported = false;
  return (request) => {
    if (hasReported) return;
    const peer = peerAddress(request);
    if (peer === undefined || isProxy(peer) || !isForwarded(request)) return;
    hasReported = true;
    emit({ type: "forwarded_header.ignored", peer });
  };
}

function isForwarded({ headers }: Request): boolean {
  return headers.get("X-Forwarded-For") !== null || headers.get("Forwarded") !== null;
}
