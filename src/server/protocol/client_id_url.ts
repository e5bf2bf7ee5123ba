import { isLoopbackHost, parseAbsoluteUri } from "../util/addresses/uri.ts";

const maxLength = 255;

/**
 * Whether a client_id is the URL of a metadata document: https, with a path, and in canonical
 * spelling. This excludes dot segments, user information, odd hosts and second spellings of the
 * same URL (OAuth Client ID Metadata Document, section 3).
 */
export function isClientIdUrl(clientId: string, allowHttpLoopback = false): boolean {
  if (clientId.length > maxLength || /[?#@]/.test(clientId)) return false;
  const url = parseAbsoluteUri(clientId);
  if (!url) return false;
  const { protocol, hostname, pathname, href } = url;
  const isLoopback = allowHttpLoopback && protocol === "http:" && isLoopbackHost(hostname);
  return (protocol === "https:" || isLoopback) && pathname !== "/" && href === clientId;
}
