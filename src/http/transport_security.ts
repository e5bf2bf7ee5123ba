import { isLoopbackHost, parseUrl } from "../util/uri.ts";
import { withHeaders } from "./lazy_response.ts";

const oneYear = 365 * 24 * 60 * 60;

/**
 * Tells browsers to use nothing but https with this host for a year (RFC 6797). A loopback host is
 * left out: its other ports belong to other servers.
 */
export function withTransportSecurity(request: Request, response: Response): Response {
  if (isLoopbackHost(parseUrl(request.url)?.hostname ?? "")) return response;
  return withHeaders(response, [["Strict-Transport-Security", `max-age=${oneYear}`]]);
}
