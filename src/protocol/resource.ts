import type { AcceptedResources, Resource } from "../model/access_rights.ts";
import { isAbsoluteUri } from "../util/uri.ts";
import type { ApplyRule, Rule } from "./rule.ts";

const about = {
  see: "RFC 8707, section 2",
  parameter: "resource",
  error: "invalid_target",
} as const;

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

const resourcesAreUris: Rule<readonly string[]> = {
  ...about,
  id: "resource.form",
  title: "Each resource is an absolute URI without a fragment",
  message: "The resource must be an absolute URI without a fragment.",
  advice: "Send the URI of the API as the resource.",
  holds: (values) => values.every(isResourceUri),
  came: (values) => values.join(" ") || "no resource",
};

const audiencesAreTargets: Rule<readonly string[]> = {
  ...about,
  id: "resource.audience_form",
  title: "Each audience is an absolute URI without a fragment, or a name",
  parameter: "audience",
  message: "The audience must be an absolute URI without a fragment, or a name.",
  advice: "Send the URI or the name of the API as the audience.",
  holds: (values) => values.every(isAudience),
  came: (values) => values.join(" ") || "no audience",
};

/** The requested targets, and those that the server accepts. */
interface KnownTargets {
  requested: readonly string[];
  accepted: AcceptedResources;
}

const resourcesAreKnown: Rule<KnownTargets> = {
  ...about,
  id: "resource.known",
  title: "The resources are known to the server",
  message: "The resource is not known to this server.",
  advice: "Request one of the resources in the server's configuration.",
  holds: ({ requested, accepted }) =>
    accepted === "any" || requested.every((uri) => findResources([uri], accepted).length > 0),
  expected: ({ accepted }) =>
    accepted === "any" ? "any" : accepted.only.map(({ uri }) => uri).join(" ") || "no resource",
  came: ({ requested }) => requested.join(" ") || "no resource",
};

/** The requested resources, and those that the client may have; undefined allows all. */
interface AllowedResources {
  requested: readonly string[];
  allowed: readonly string[] | undefined;
}

const resourcesAreAllowed: Rule<AllowedResources> = {
  ...about,
  id: "resource.allowed",
  title: "The client may request tokens for these resources",
  message: "This client may not request tokens for this resource.",
  advice: "Request a resource that the client may use, or allow this one for the client.",
  holds: ({ requested, allowed }) =>
    allowed === undefined || requested.every((uri) => allowed.includes(uri)),
  expected: ({ allowed }) => allowed?.join(" ") ?? "any",
  came: ({ requested }) => requested.join(" ") || "no resource",
};

const someGrantedResourceIsAllowed: Rule<{ remaining: readonly string[] }> = {
  ...about,
  id: "resource.still_allowed",
  title: "The client may still use one of the granted resources",
  message: "This client may no longer use the granted resources.",
  advice: "Ask the user to authorize the client again, for a resource that it may use.",
  holds: ({ remaining }) => remaining.length > 0,
};

const resourcesWereGranted: Rule<{ requested: readonly string[]; granted: readonly string[] }> = {
  ...about,
  id: "resource.granted",
  title: "The resources are among those that were granted",
  see: "RFC 8707, section 2.2",
  message: "The resource is not one of those that were granted.",
  advice: "Include the resource in the authorization request.",
  holds: ({ requested, granted }) => requested.every((uri) => granted.includes(uri)),
  expected: ({ granted }) => granted.join(" ") || "no resource",
  came: ({ requested }) => requested.join(" ") || "no resource",
};

/** A scope, and the part of it that the requested resources know. */
interface ScopeOfResources {
  scope: readonly string[];
  known: readonly string[];
}

const resourcesKnowTheScope: Rule<ScopeOfResources> = {
  ...about,
  id: "resource.scope",
  title: "The requested resources accept part of the scope",
  error: "invalid_scope",
  message: "The requested resource accepts none of the requested scopes.",
  advice: "Request a scope that the resource accepts.",
  // With `openid` the ID token may be what the client wants; without a scope, the authorization
  // details define the access.
  holds: ({ scope, known }) => known.length > 0 || scope.includes("openid") || scope.length === 0,
  came: ({ scope }) => scope.join(" ") || "no scope",
};

/** Reads the requested resources. One must know a part of the scope (RFC 8707, section 2). */
export function readResources(
  apply: ApplyRule,
  uris: readonly string[],
  scope: readonly string[],
  accepted: AcceptedResources,
  audiences: readonly string[] = [],
): string[] {
  const values = checkTargets(apply, { resources: uris, audiences });
  apply(resourcesAreKnown, { requested: values, accepted });
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
  apply(resourcesAreAllowed, { requested, allowed });
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
  apply(someGrantedResourceIsAllowed, { remaining });
  return remaining;
}

/** Returns the configured settings of these resources. */
export function findResources(uris: readonly string[], accepted: AcceptedResources): Resource[] {
  return accepted === "any" ? [] : accepted.only.filter(({ uri }) => uris.includes(uri));
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
  apply(resourcesKnowTheScope, { scope, known });
  return known;
}

/** Narrows the granted resources. A token request can never widen them (RFC 8707, section 2.2). */
export function narrowResources(
  apply: ApplyRule,
  requested: readonly string[],
  granted: readonly string[],
): string[] {
  if (requested.length === 0) return [...granted];
  apply(resourcesWereGranted, { requested, granted });
  return [...new Set(requested)];
}

/** Narrows the targets of a token exchange to the allowed ones (RFC 8693, section 2.1). */
export function narrowTargets(
  apply: ApplyRule,
  { resources, audiences }: RequestedTargets,
  allowed: readonly string[],
): string[] {
  apply(resourcesAreUris, resources);
  return narrowResources(apply, [...resources, ...audiences], allowed);
}

/** Returns the targets of a request whose resources are URIs, and whose audiences can be ones. */
function checkTargets(apply: ApplyRule, { resources, audiences }: RequestedTargets): string[] {
  apply(resourcesAreUris, resources);
  apply(audiencesAreTargets, audiences);
  return [...resources, ...audiences];
}
