import { createIncomingRequest } from "../../server/http/incoming_request.ts";
import type { OutboundFetch } from "../../server/http/outbound_fetch.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import type { Tenants } from "../control/lab.ts";

/**
 * Returns a `fetch` that gets what is of a tenant in this process, with its faults. No client sent
 * such a request, so it does not count in the report.
 */
export function fetchFromTenants(
  tenants: Pick<Tenants, "ofUrl">,
  around: OutboundFetch = (url, init) => fetch(url, init),
): OutboundFetch {
  return async (url, init) => {
    const address = parseUrl(url);
    const tenant = address && tenants.ofUrl(address);
    if (!tenant) return await around(url, init);
    const { method, headers, signal } = init;
    const request = createIncomingRequest(new Request(url, { method, headers, signal }));
    const exchange = await tenant.recordExchange(request);
    if (exchange) exchange.isOwnRoute = true;
    const response = exchange?.response;
    if (!response) throw new TypeError("The connection was closed before the response.");
    return new Response(response.body, { status: response.status, headers: response.headers });
  };
}
