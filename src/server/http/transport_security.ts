import { isLoopbackHost, parseUrl } from "../util/addresses/uri.ts";
import { day } from "../util/time/duration.ts";
import type { IncomingRequest } from "./incoming_request.ts";
import type { HeaderList } from "./response_data.ts";

const oneYear = 365 * day;

/**
 * Returns the header that tells browsers to use nothing but https with this host for a year (RFC
 * 6797). A loopback host is left out: its other ports belong to other servers.
 */
export function transportSecurity({ url }: IncomingRequest): HeaderList {
  if (isLoopbackHost(parseUrl(url)?.hostname ?? "")) return [];
  return [["Strict-Transport-Security", `max-age=${oneYear}`]];
}
