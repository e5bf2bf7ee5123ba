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
  const problem = originProblem(request, addresses, admitsLoopback);
  if (problem !== undefined) return { status: 403, description: problem };
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

/** Returns why the page that sent a request may not use the lab, or undefined. */
export function originProblem(
  { method, headers }: IncomingRequest,
  addresses: readonly string[],
  admitsLoopback = false,
): string | undefined {
  const origin = headers.get("Origin");
  if (origin !== null) {
    const isOwn = addresses.some((address) => new URL(address).origin === origin);
    if (isOwn || admitsLoopback && isLoopbackOrigin(origin)) return undefined;
    return `Pages of '${origin}' may not use the lab.`;
  }
  // Browsers say themselves which site a request comes from (Fetch Metadata). Links only read.
  const site = headers.get("Sec-Fetch-Site");
  if (method === "GET" || method === "HEAD" || !/^(?:cross|same)-site$/.test(site ?? "")) {
    return undefined;
  }
  return `Requests with 'Sec-Fetch-Site: ${site}' may not change the lab.`;
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
