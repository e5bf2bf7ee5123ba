import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import { hasPlausibleHost } from "../../server/http/router.ts";
import { isLoopbackName, isWebOrigin, parseUrl } from "../../server/util/addresses/uri.ts";
import { describeAddresses, isOwnHost } from "../util/own_addresses.ts";
import type { LabToken } from "./lab_access.ts";

/** Why a request may not use the interface of a lab over HTTP. */
export interface AccessProblem {
  status: 401 | 403;
  description: string;
}

/**
 * Returns why a request may not use the interface, or undefined. Any web page can make a browser
 * send requests to localhost, and can point its host name at localhost. Neither may mint
 * tokens, so another origin and another host are rejected.
 */
export async function accessProblem(
  request: IncomingRequest,
  { addresses, token, admitsLoopback = false }: {
    addresses: readonly string[];
    token: LabToken | undefined;
    /** Whether pages of other programs on the machine of the browser may use it. */
    admitsLoopback?: boolean;
  },
  sender: string | undefined,
): Promise<AccessProblem | undefined> {
  const origin = request.headers.get("Origin");
  const isAdmitted = origin === null || isOwnOrigin(origin, addresses) ||
    (admitsLoopback && isLoopbackOrigin(origin));
  if (!isAdmitted) {
    return { status: 403, description: `Pages of '${origin}' may not use the lab.` };
  }
  const site = request.headers.get("Sec-Fetch-Site");
  const isForeign = origin === null && (site === "cross-site" || site === "same-site");
  // Links of other sites may lead to what only reads.
  if (isForeign && request.method !== "GET" && request.method !== "HEAD") {
    return { status: 403, description: describeForeignSite(site) };
  }
  if (token) return await tokenProblem(request.headers.get("Authorization"), token, sender);
  const description = hostProblem(request, addresses);
  return description === undefined ? undefined : { status: 403, description };
}

/** Returns why the host of a request cannot be the lab's, or undefined. */
export function hostProblem(
  { url, headers }: IncomingRequest,
  addresses: readonly string[],
): string | undefined {
  // Listeners write an address of their own into a URL without a host.
  if (!hasPlausibleHost(headers)) return "The 'Host' header must name an address of this lab.";
  const { hostname } = new URL(url);
  return isOwnHost(hostname, addresses) ? undefined : describeAddresses(hostname, addresses);
}

/** Explains that a browser named another site as the source of a request (Fetch Metadata). */
export function describeForeignSite(site: string): string {
  return `Requests with 'Sec-Fetch-Site: ${site}' may not change the lab.`;
}

function isOwnOrigin(origin: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => new URL(address).origin === origin);
}

function isLoopbackOrigin(origin: string): boolean {
  const url = isWebOrigin(origin) ? parseUrl(origin) : undefined;
  return url !== undefined && isLoopbackName(url.hostname);
}

async function tokenProblem(
  authorization: string | null,
  token: LabToken,
  sender: string | undefined,
): Promise<AccessProblem | undefined> {
  // A request without a token is not a guess: it uses up none of the sender's attempts.
  if (authorization !== null && await token.matches(authorization, sender)) return undefined;
  return { status: 401, description: "Send the lab's token: Authorization: Bearer TOKEN." };
}
