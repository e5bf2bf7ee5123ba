import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { OutboundError, type OutboundFetch } from "../../server/http/outbound_fetch.ts";
import { isLoopbackName, parseUrl } from "../../server/util/addresses/uri.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";

/** The group of senders that are pages of another origin. No network begins with this. */
const externalPage = "external page";

/**
 * Makes a page that is not on this machine a sender apart from the programs on its network: what
 * the server fetches for it is known by that.
 */
export function pageSender(
  request: IncomingRequest,
  addresses: readonly string[],
): string | undefined {
  const { headers } = request;
  const origin = headers.get("Origin");
  const isExternal = origin === null ? isEmbedded(headers) : !isOwnOrigin(origin, addresses);
  return isExternal ? externalPage : undefined;
}

/**
 * Whether a page of another site sends a request without the user seeing it, as an image, a script
 * or a frame: such requests have no Origin (Fetch Metadata). A link is followed for all to see.
 */
function isEmbedded(headers: IncomingRequest["headers"]): boolean {
  const destination = headers.get("Sec-Fetch-Dest");
  return headers.get("Sec-Fetch-Site") === "cross-site" && destination !== "document";
}

function isOwnOrigin(origin: string, addresses: readonly string[]): boolean {
  const url = parseUrl(origin);
  if (url === undefined) return false;
  return isLoopbackName(url.hostname) ||
    addresses.some((address) => new URL(address).origin === origin);
}

/**
 * Lets a lab fetch from this machine and its network for clients that run here, but not for a page
 * of another origin: any page can register a client at a lab on localhost, and would use its URLs
 * to scan the network.
 */
export function fetchByOrigin(anywhere: OutboundFetch, publicOnly: OutboundFetch): OutboundFetch {
  return async (url, request) => {
    if (!request.sender?.startsWith(externalPage)) return await anywhere(url, request);
    try {
      return await publicOnly(url, request);
    } catch (cause) {
      const rule = "a page of another origin may not make the lab fetch from this machine";
      throw new OutboundError(`${messagesOf(cause)}; ${rule}`);
    }
  };
}
