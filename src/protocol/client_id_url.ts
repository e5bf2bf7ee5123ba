import { isLoopbackHost } from "../util/loopback.ts";
import { isAbsoluteUri } from "../util/uri.ts";

const maxLength = 255;

/**
 * Whether a client_id is the URL of the document that describes the client: https, with a path and nothing after it, and written
 * as every parser would write it, so that no dot segment, user information, odd host or second spelling of the same URL gets
 * through (OAuth Client ID Metadata Document, section 3).
 */
export function isClientIdUrl(clientId: string, allowHttpLoopback = false): boolean {
  if (clientId.length > maxLength || !isAbsoluteUri(clientId) || /[?#@]/.test(clientId)) {
    return false;
  }
  const { protocol, hostname, pathname, href } = new URL(clientId);
  const isSecure = protocol === "https:" ||
    (allowHttpLoopback && protocol === "http:" && isLoopbackHost(hostname));
  return isSecure && pathname !== "/" && href === clientId;
}
