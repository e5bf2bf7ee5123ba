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
