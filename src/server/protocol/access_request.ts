import type { AcceptedResources, AccessRights } from "../model/access_token.ts";
import type { Client } from "../model/client.ts";
import type { AuthorizationDetailTypes } from "./authorization_detail_types.ts";
import { narrowAuthorizationDetails, readAuthorizationDetails } from "./authorization_details.ts";
import type { FormParameters } from "./form_parameters.ts";
import { findResources, resourceRules, spelledAsConfigured, spelledAsGranted } from "./resource.ts";
import type { ApplyRule } from "./rule.ts";
import { ignoredScopes, readScope, type ScopeRules } from "./scope.ts";

/** What a server knows that clients may ask for. */
export interface AccessRules extends ScopeRules {
  resources: AcceptedResources;
  authorizationDetails: AuthorizationDetailTypes;
  /** Whether the parameter `audience` names resources, too. */
  audienceParameter: boolean;
}

/** The parameters of a request for access, before any is checked. */
export interface RequestedAccess {
  scope: string | undefined;
  /** Each is a URI. */
  resources: readonly string[];
  /** Each may be a name. */
  audiences: readonly string[];
  authorizationDetails: string | undefined;
}

export function readRequestedAccess(
  parameters: FormParameters,
  { audienceParameter }: Pick<AccessRules, "audienceParameter">,
): RequestedAccess {
  return {
    scope: parameters.get("scope"),
    resources: parameters.all("resource"),
    audiences: audienceParameter ? parameters.all("audience") : [],
    authorizationDetails: parameters.get("authorization_details"),
  };
}

/**
 * Parses and checks the requested access. Authorization details replace the default scope (RFC
 * 9396, section 3.1).
 */
export function readAccessRights(
  apply: ApplyRule,
  requested: RequestedAccess,
  client: Client,
  rules: AccessRules,
): AccessRights {
  const { scopes, defaultScope, authorizationDetailsTypes, allowedResources } = client;
  const authorizationDetails = readAuthorizationDetails(
    apply,
    requested.authorizationDetails,
    rules.authorizationDetails,
    authorizationDetailsTypes,
  );
  const hasDetailsOnly = authorizationDetails !== undefined && requested.scope === undefined;
  const isIgnored = ignoredScopes(client, rules);
  const scope = hasDetailsOnly
    ? []
    : readScope(apply, requested.scope, scopes, defaultScope, isIgnored);
  const { audiences } = requested;
  const resources = readResources(apply, requested.resources, scope, rules.resources, audiences);
  checkAllowedResources(apply, resources, allowedResources);
  return { scope, resources, authorizationDetails };
}

/**
 * Narrows the granted access to what a token request asks for (RFC 8707; RFC 8693, section 2.1). The
 * scope stays as it is.
 */
export function narrowAccessRights(
  apply: ApplyRule,
  requested: RequestedAccess,
  granted: AccessRights,
  { resources }: AccessRules,
): AccessRights {
  const { resources: uris, audiences, authorizationDetails: details } = requested;
  apply(resourceRules.form, uris);
  return {
    scope: granted.scope,
    resources: narrowResources(apply, [...uris, ...audiences], granted.resources, resources),
    authorizationDetails: details === undefined
      ? granted.authorizationDetails
      : narrowAuthorizationDetails(apply, details, granted.authorizationDetails),
  };
}

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
    apply(resourceRules.allowed, { received: requested, expected: allowed });
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
  apply(resourceRules.granted, { received: targets, expected: granted });
  return [...new Set(targets)];
}
