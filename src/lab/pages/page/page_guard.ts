import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import { describeAddresses, isOwnHost } from "../../util/own_addresses.ts";

/**
 * Returns why a request may not reach the pages of a lab, or undefined. Any web page can make a
 * browser send requests to localhost, and can point its host name at localhost (DNS
 * rebinding). The form token comes on top.
 */
export function pageAccessProblem(
  request: IncomingRequest,
  addresses: readonly string[],
): string | undefined {
  const url = new URL(request.url);
  if (!isOwnHost(url.hostname, addresses)) return describeAddresses(url.hostname, addresses);
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  return originProblem(request, [url.href, ...addresses]) ?? siteProblem(request);
}

function originProblem(request: IncomingRequest, addresses: readonly string[]): string | undefined {
  const origin = request.headers.get("Origin");
  if (origin === null) return undefined;
  if (addresses.some((address) => new URL(address).origin === origin)) return undefined;
  return `Pages of '${origin}' may not use the lab.`;
}

/** Browsers say themselves which site a request comes from (Fetch Metadata). */
function siteProblem(request: IncomingRequest): string | undefined {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site === null || site === "same-origin") return undefined;
  return `Requests with 'Sec-Fetch-Site: ${site}' may not change the lab.`;
}
