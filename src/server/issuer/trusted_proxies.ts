import type { ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { parseUrl } from "../util/addresses/uri.ts";
import type { RequestContext } from "./context.ts";

/**
 * Reports once that a peer forwards requests but is not trusted, and once that a trusted one does
 * not name the sender. Either way, everyone behind the proxy counts as one sender, and one of them
 * can use up the budgets of all.
 */
export function createProxyWatch(
  { issuer }: Pick<Settings, "issuer">,
  emit: (event: ServerEvent) => void,
): (request: Pick<RequestContext, "request" | "origin">) => void {
  const reported = new Set<ServerEvent["type"]>();
  return ({ request, origin: { peer, isForwarded } }) => {
    if (peer === undefined) return;
    const type = isForwarded ? "forwarded_header.missing" : "forwarded_header.ignored";
    if (reported.has(type) || isForwarded === namesSender(request)) return;
    // A probe or a command on the machine of the proxy uses another name.
    if (isForwarded && parseUrl(request.url)?.host !== new URL(issuer).host) return;
    reported.add(type);
    emit({ type, peer });
  };
}

function namesSender({ headers }: IncomingRequest): boolean {
  return headers.has("X-Forwarded-For") || headers.has("Forwarded");
}
