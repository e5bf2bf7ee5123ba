import { createIncomingRequest } from "../../../../server/http/incoming_request.ts";
import type { OutboundFetch } from "../../../../server/http/outbound_fetch.ts";
import { toResponse } from "../../../../server/http/response_data.ts";
import { parseUrl } from "../../../../server/util/addresses/uri.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { CoreLabConfig } from "../../../lab_server/core_lab_config.ts";
import { companyConfig } from "./enterprise_config.ts";

/** Opens the identity provider of an enterprise. It has the clock of its lab. */
export async function openCompany(lab: CoreLab, config: CoreLabConfig): Promise<void> {
  const { now } = lab.clock;
  const company = lab.tenants.open({ ...companyConfig(config), now });
  await company.ready();
}

/**
 * Returns a `fetch` that gets what is of a tenant in this process, with its faults. No client sent
 * such a request, so it does not count in the report.
 */
export function fetchFromTenants(lab: CoreLab, send: OutboundFetch): OutboundFetch {
  return async (url, init) => {
    const { method, headers, signal } = init;
    const tenant = method === "GET" ? findTenant(lab, url) : undefined;
    if (!tenant) return await send(url, init);
    const request = createIncomingRequest(new Request(url, { headers, signal }));
    const exchange = await tenant.recordExchange(request, { isBesideProtocol: true });
    if (!exchange?.response) throw new TypeError("The connection was closed before the response.");
    return toResponse(exchange.response);
  };
}

/** Finds the tenant of a URL. Its path means nothing on a host that is not the lab's. */
function findTenant({ context, tenants }: CoreLab, url: string): CoreLab | undefined {
  const { addresses } = context.settings;
  const address = parseUrl(url);
  const isOwn = address && addresses.some((each) => new URL(each).origin === address.origin);
  return isOwn ? tenants.ofUrl(address) : undefined;
}
