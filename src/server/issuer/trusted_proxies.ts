import type { ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import { createProxyTest, peerAddress } from "../http/client_address.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { parseUrl } from "../util/addresses/uri.ts";

/** What decides which proxies a server expects in front of it. */
type ProxySettings = Pick<Settings, "trustedProxies" | "issuer">;

/**
 * Reports once that a peer forwards requests but is not trusted, and once that a trusted one does
 * not name the sender. Either way, everyone behind the proxy counts as one sender, and one of them
 * can use up the budgets of all.
 */
export function createProxyWatch(
  { trustedProxies, issuer }: ProxySettings,
  emit: (event: ServerEvent) => void,
): (request: IncomingRequest) => void {
  const isProxy = createProxyTest(trustedProxies);
  const { host } = new URL(issuer);
  const reported = new Set<ServerEvent["type"]>();
  return (request) => {
    const peer = peerAddress(request);
    if (peer === undefined) return;
    const isTrusted = isProxy(peer);
    const type = isTrusted ? "forwarded_header.missing" : "forwarded_header.ignored";
    if (reported.has(type) || isTrusted === namesSender(request)) return;
    // A probe or a command on the machine of the proxy uses another name.
    if (isTrusted && parseUrl(request.url)?.host !== host) return;
    reported.add(type);
    emit({ type, peer });
  };
}

function namesSender({ headers }: IncomingRequest): boolean {
  return headers.has("X-Forwarded-For") || headers.has("Forwarded");
}
