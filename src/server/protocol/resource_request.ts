import type { AcceptedResources } from "../model/access_token.ts";
import { findResources, resourceRules, spelledAsConfigured, spelledAsGranted } from "./resource.ts";
import type { ApplyRule } from "./rule.ts";

/** Reads the requested resources. One must know a part of the scope (RFC 8707, section 2). */
export function readResources(
  apply: ApplyRule,
  uris: readonly string[],
  scope: readonly string[],
  accepted: AcceptedResources,
  audiences: readonly string[] = [],
): string[] {
  apply(resourceRules.form, uris);
  apply(resourceRules.audience_form, audiences);
  const values = [...uris, ...audiences].map((target) => spelledAsConfigured(target, accepted));
  apply(resourceRules.known, { requested: values, accepted });
  const resources = [...new Set(values)];
  if (resources.length > 0) scopeForResources(apply, resources, scope, accepted);
  return resources;
}

/** Checks that a client may request tokens for these resources. An undefined list allows all. */
export function checkAllowedResources(
  apply: ApplyRule,
  requested: readonly string[],
  allowed: readonly string[] | undefined,
): void {
  if (allowed !== undefined) {
    apply(resourceRules.allowed, { came: requested, expected: allowed });
  }
}

/**
 * Returns the granted resources that a client may still use. If none is left, it throws, because an
 * empty list would mean the default resource.
 */
export function keepAllowedResources(
  apply: ApplyRule,
  granted: readonly string[],
  allowed: readonly string[] | undefined,
): string[] {
  if (allowed === undefined || granted.length === 0) return [...granted];
  const remaining = granted.filter((uri) => allowed.includes(uri));
  apply(resourceRules.still_allowed, { remaining });
  return remaining;
}

/** Returns the part of a scope that at least one of these resources knows. */
export function scopeForResources(
  apply: ApplyRule,
  uris: readonly string[],
  scope: readonly string[],
  accepted: AcceptedResources,
): string[] {
  const knownResources = findResources(uris, accepted);
  // A resource without settings accepts every scope.
  if (knownResources.length < uris.length) return [...scope];
  const known = scope.filter((token) =>
    knownResources.some(({ scopes }) => scopes === undefined || scopes.includes(token))
  );
  apply(resourceRules.scope, { scope, known });
  return known;
}

/** Narrows the granted resources. A token request can never widen them (RFC 8707, section 2.2). */
export function narrowResources(
  apply: ApplyRule,
  requested: readonly string[],
  granted: readonly string[],
  accepted: AcceptedResources = "any",
): string[] {
  if (requested.length === 0) return [...granted];
  const targets = requested.map((target) => spelledAsGranted(granted, target, accepted));
  apply(resourceRules.granted, { came: targets, expected: granted });
  return [...new Set(targets)];
}
