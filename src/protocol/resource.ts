import type { AcceptedResources, Resource } from "../model/access_rights.ts";
import { isAbsoluteUri } from "../util/uri.ts";
import { errorFactory } from "./oauth_error.ts";

const section = "RFC 8707, section 2";
const invalidScope = errorFactory("invalid_scope", section);
const invalidTarget = errorFactory("invalid_target", section);

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

/** The targets of a request: resources are URIs, audiences may be names. */
export interface RequestedTargets {
  resources: readonly string[];
  audiences: readonly string[];
}

/** Reads the requested resources. One must know a part of the scope (RFC 8707, section 2). */
export function readResources(
  uris: readonly string[],
  scope: readonly string[],
  accepted: AcceptedResources,
  audiences: readonly string[] = [],
): string[] {
  const values = checkTargets({ resources: uris, audiences });
  if (accepted !== "any" && values.some((value) => findResources([value], accepted).length === 0)) {
    throw invalidTarget("The resource is not known to this server.");
  }
  const resources = [...new Set(values)];
  if (resources.length > 0) scopeForResources(resources, scope, accepted);
  return resources;
}

/** Checks that a client may request tokens for these resources. An undefined list allows all. */
export function checkAllowedResources(
  resources: readonly string[],
  allowed: readonly string[] | undefined,
): void {
  if (allowed === undefined || resources.every((uri) => allowed.includes(uri))) return;
  throw invalidTarget("This client may not request tokens for this resource.", {
    hint: `It may request: ${allowed.join(" ")}.`,
  });
}

/**
 * Returns the granted resources that a client may still use. If none is left, it throws, because an
 * empty list would mean the default resource.
 */
export function keepAllowedResources(
  granted: readonly string[],
  allowed: readonly string[] | undefined,
): string[] {
  if (allowed === undefined || granted.length === 0) return [...granted];
  const remaining = granted.filter((uri) => allowed.includes(uri));
  if (remaining.length > 0) return remaining;
  throw invalidTarget("This client may no longer use the granted resources.");
}

/** Returns the configured settings of these resources. */
export function findResources(uris: readonly string[], accepted: AcceptedResources): Resource[] {
  return accepted === "any" ? [] : accepted.only.filter(({ uri }) => uris.includes(uri));
}

/** Returns the part of a scope that at least one of these resources knows. */
export function scopeForResources(
  uris: readonly string[],
  scope: readonly string[],
  accepted: AcceptedResources,
): string[] {
  const knownResources = findResources(uris, accepted);
  // A resource without settings accepts every scope.
  if (knownResources.length < uris.length) return [...scope];
  const remaining = scope.filter((token) =>
    knownResources.some(({ scopes }) => scopes === undefined || scopes.includes(token))
  );
  // With `openid` the ID token may be what the client wants; without a scope, the authorization
  // details define the access.
  if (remaining.length > 0 || scope.includes("openid") || scope.length === 0) return remaining;
  throw invalidScope("The requested resource knows none of the requested scopes.");
}

/** Narrows the granted resources. A token request can never widen them (RFC 8707, section 2.2). */
export function narrowResources(
  requested: readonly string[],
  granted: readonly string[],
): string[] {
  if (requested.length === 0) return [...granted];
  if (requested.every((uri) => granted.includes(uri))) return [...new Set(requested)];
  throw invalidTarget("The resource is not one of those that were granted.");
}

/** Narrows the targets of a token exchange to the allowed ones (RFC 8693, section 2.1). */
export function narrowTargets(
  { resources, audiences }: RequestedTargets,
  allowed: readonly string[],
): string[] {
  checkResourceUris(resources);
  return narrowResources([...resources, ...audiences], allowed);
}

/** Returns the targets of a request whose resources are URIs, and whose audiences can be ones. */
function checkTargets({ resources, audiences }: RequestedTargets): string[] {
  checkResourceUris(resources);
  if (audiences.every(isAudience)) return [...resources, ...audiences];
  throw invalidTarget("The audience must be an absolute URI without a fragment, or a name.");
}

function checkResourceUris(values: readonly string[]): void {
  if (values.every(isResourceUri)) return;
  throw invalidTarget("The resource must be an absolute URI without a fragment.");
}
