import { createIncomingRequest } from "../../../../server/http/incoming_request.ts";
import type { OutboundFetch, OutboundRequest } from "../../../../server/http/outbound_fetch.ts";
import { parseUrl } from "../../../../server/util/addresses/uri.ts";
import type { CoreLab } from "../../../core/core_lab.ts";

/** The tenants of a lab, and where they are. */
interface TenantPlaces {
  ofUrl(url: URL): Pick<CoreLab, "recordExchange"> | undefined;
  /** The addresses of the lab. The path of a tenant means nothing on any other host. */
  addresses: readonly string[];
}

/**
 * Returns a `fetch` that gets what is of a tenant in this process, with its faults. No client sent
 * such a request, so it does not count in the report.
 */
export function fetchFromTenants(
  places: TenantPlaces,
  around: OutboundFetch = (url, init) => fetch(url, init),
): OutboundFetch {
  return async (url, init) => {
    const tenant = init.method === "GET" ? findTenant(places, url) : undefined;
    return tenant ? await fetchFrom(tenant, url, init) : await around(url, init);
  };
}

function findTenant({ ofUrl, addresses }: TenantPlaces, url: string) {
  const address = parseUrl(url);
  const isOwn = address && addresses.some((each) => new URL(each).origin === address.origin);
  return isOwn ? ofUrl(address) : undefined;
}

async function fetchFrom(
  tenant: Pick<CoreLab, "recordExchange">,
  url: string,
  { headers, signal }: OutboundRequest,
): Promise<Response> {
  const request = createIncomingRequest(new Request(url, { headers, signal }));
  const exchange = await tenant.recordExchange(request, { isOwnRoute: true });
  const response = exchange?.response;
  if (!response) throw new TypeError("The connection was closed before the response.");
  return new Response(response.body, { status: response.status, headers: response.headers });
}
