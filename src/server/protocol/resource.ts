import type { AcceptedResources, Resource } from "../model/access_rights.ts";
import { isAbsoluteUri } from "../util/addresses/uri.ts";

/** Whether a text can be a resource: an absolute URI without a fragment. */
export function isResourceUri(text: string): boolean {
  return isAbsoluteUri(text) && !text.includes("#");
}

/**
 * Whether a text can be an audience: such a URI, or a name. A text with a colon must be a URI (RFC
 * 7519, section 2).
 */
export function isAudience(text: string): boolean {
  return text.includes(":") ? isResourceUri(text) : /^[\x21-\x7e]{1,255}$/.test(text);
}

/** Returns the configured settings of these resources. */
export function findResources(uris: readonly string[], accepted: AcceptedResources): Resource[] {
  return accepted === "any" ? [] : accepted.only.filter(({ uri }) => uris.includes(uri));
}

/**
 * Returns a resource in the spelling of a list that has it, and otherwise unchanged. An `http` URL
 * names the same resource with and without a slash at its end, and with capitals in its scheme and
 * host (Model Context Protocol, Authorization, section "Canonical Server URI"). If the list has
 * both spellings, they are two resources.
 */
export function spelledAsIn(known: readonly string[], uri: string): string {
  if (known.includes(uri)) return uri;
  const [lowered, canonical] = [lowerOrigin(uri), canonicalUrl(uri)];
  return known.find((each) => lowerOrigin(each) === lowered) ??
    known.find((each) => canonicalUrl(each) === canonical) ?? uri;
}

/**
 * Returns a resource in the spelling in which it was granted. If the server has both spellings, a
 * token for one must not be issued in place of the other.
 */
export function spelledAsGranted(
  granted: readonly string[],
  uri: string,
  accepted: AcceptedResources,
): string {
  const [named, spelled] = [spelledAsConfigured(uri, accepted), spelledAsIn(granted, uri)];
  const areTwo = [named, spelled].every((each) => findResources([each], accepted).length > 0);
  return areTwo ? named : spelled;
}

/** Returns a configured resource as the configuration spells it, and any other unchanged. */
export function spelledAsConfigured(uri: string, accepted: AcceptedResources): string {
  return accepted === "any" ? uri : spelledAsIn(accepted.only.map((each) => each.uri), uri);
}

/** Returns one spelling for all that name the same resource. A query is never touched. */
function canonicalUrl(uri: string): string {
  return isPlainUrl(uri) ? lowerOrigin(uri).replace(/\/$/, "") : uri;
}

function lowerOrigin(uri: string): string {
  if (!isPlainUrl(uri)) return uri;
  return uri.replace(/^https?:\/\/[^/]+/i, (origin) => origin.toLowerCase());
}

/** Whether a text is an `http` URL without credentials, query and fragment. */
function isPlainUrl(uri: string): boolean {
  return /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(uri);
}
