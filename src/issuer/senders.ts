import { addressReader, networkOf, parseAddress, peerOf } from "../http/address.ts";
import type { Event } from "../config/events.ts";

/** Returns the network that a request comes from, or undefined where the address is not known. */
export type SenderOf = (request: Request) => string | undefined;

/** Every budget per sender counts by the network that this function returns. */
export function createSenderOf(trustedProxies: readonly string[]): SenderOf {
  const addressOf = addressReader(trustedProxies);
  return (request) => {
    const address = addressOf(request);
    return address === undefined ? undefined : networkOf(address);
  };
}

/**
 * Reports once that a peer forwards requests and is not trusted. If it is a proxy, everyone behind
 * it counts as one sender, and one of them can use up the budgets of all.
 */
export function createProxyWatch(
  trustedProxies: readonly string[],
  emit: (event: Event) => void,
): (request: Request) => void {
  const trusted = new Set(trustedProxies.map(parseAddress));
  let hasReported = false;
  return (request) => {
    if (hasReported || !isForwarded(request)) return;
    const peer = peerOf(request);
    if (peer === undefined || trusted.has(peer)) return;
    hasReported = true;
    emit({ type: "forwarded_header.ignored", peer });
  };
}

function isForwarded({ headers }: Request): boolean {
  return headers.get("X-Forwarded-For") !== null || headers.get("Forwarded") !== null;
}
