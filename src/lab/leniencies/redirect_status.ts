import { headerOf, type WireResponse } from "../recording/exchange.ts";
import { callbackIn } from "../recording/wire_callback.ts";

/** The status of the server's redirects (RFC 9700, section 4.12). */
const serverStatus = 303;

/** Gives a redirect with an authorization response the status that older suites expect. */
export function withRedirectStatus(
  response: WireResponse,
  issuer: string,
  status: number,
): WireResponse {
  if (status === serverStatus || response.status !== serverStatus) return response;
  // A page of the server itself has a path alone.
  const isForClient = URL.canParse(headerOf(response, "Location") ?? "");
  return isForClient && callbackIn(response, issuer) ? { ...response, status } : response;
}
