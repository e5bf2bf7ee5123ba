import { OAuthError } from "./oauth_error.ts";
import { isAbsoluteUri } from "./uri.ts";

/** Which resources tokens may be asked for: those that are configured, or any. */
export type ResourceRule = { only: readonly string[] } | "any";

const section = "RFC 8707, section 2";

/** Reads the resources that a token is for (RFC 8707, section 2). */
export function readResources(values: readonly string[], rule: ResourceRule): string[] {
  for (const value of values) {
    if (!isResource(value)) throw refuse("A resource is an absolute URI without a fragment.");
    if (rule !== "any" && !rule.only.includes(value)) throw refuse("The resource is not known to this server.");
  }
  return [...new Set(values)];
}

/** Absolute, and without a fragment. */
export function isResource(text: string): boolean {
  return isAbsoluteUri(text) && !text.includes("#");
}

/** Narrows to some of what was granted; a token request can never widen it (RFC 8707, section 2.2). */
export function narrowResources(wanted: readonly string[], granted: readonly string[]): string[] {
  if (wanted.length === 0) return [...granted];
  for (const value of wanted) {
    if (!granted.includes(value)) throw refuse("The resource was not part of what was granted.");
  }
  return [...new Set(wanted)];
}

/** Narrows the targets of an exchange: resources by their URI, and audiences by whatever name they have (RFC 8693, section 2.1). */
export function narrowTargets(
  wanted: { resources: readonly string[]; audiences: readonly string[] },
  allowed: readonly string[],
): string[] {
  if (!wanted.resources.every(isResource)) throw refuse("A resource is an absolute URI without a fragment.");
  return narrowResources([...wanted.resources, ...wanted.audiences], allowed);
}

function refuse(message: string): OAuthError {
  return new OAuthError("invalid_target", message, { see: section });
}
