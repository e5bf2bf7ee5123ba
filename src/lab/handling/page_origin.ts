import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { OutboundError, type OutboundFetch } from "../../server/http/outbound_fetch.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import { messagesOf } from "../../server/util/text/error_message.ts";
import { isLoopbackName } from "../util/own_addresses.ts";

/**
 * Whether the current request comes from a page that is not on this machine. The server fetches
 * with a function of its configuration, which knows no request; so it cannot be an argument.
 */
const isExternal = new AsyncLocalStorage<boolean>();

/**
 * Handles a request, and remembers meanwhile whether it comes from an external page. The requests
 * of most clients have no origin, and what is remembered costs each of their promises.
 */
export function withPageOrigin<T>(
  request: IncomingRequest,
  addresses: readonly string[],
  handle: () => T,
): T {
  const origin = request.headers.get("Origin");
  const external = origin !== null && !isOwnOrigin(origin, addresses);
  return external || isExternal.getStore() ? isExternal.run(external, handle) : handle();
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
    if (!isExternal.getStore()) return await anywhere(url, request);
    try {
      return await publicOnly(url, request);
    } catch (cause) {
      const rule = "a page of another origin may not make the lab fetch from this machine";
      throw new OutboundError(`${messagesOf(cause)}; ${rule}`);
    }
  };
}
