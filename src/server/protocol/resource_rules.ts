import type { AcceptedResources } from "../model/access_rights.ts";
import { findResources, isAudience, isResourceUri } from "./resource.ts";
import type { Rule } from "./rule.ts";

const about = {
  see: "RFC 8707, section 2",
  parameter: "resource",
  error: "invalid_target",
} as const;

export const resourcesAreUris: Rule<readonly string[]> = {
  ...about,
  id: "resource.form",
  title: "Each resource is an absolute URI without a fragment",
  message: "The resource must be an absolute URI without a fragment.",
  advice: "Send the URI of the API as the resource.",
  holds: (values) => values.every(isResourceUri),
  came: (values) => values.join(" ") || "no resource",
};

export const audiencesAreTargets: Rule<readonly string[]> = {
  ...about,
  id: "resource.audience_form",
  title: "Each audience is an absolute URI without a fragment, or a name",
  parameter: "audience",
  message: "The audience must be an absolute URI without a fragment, or a name.",
  advice: "Send the URI or the name of the API as the audience.",
  holds: (values) => values.every(isAudience),
  came: (values) => values.join(" ") || "no audience",
};

export const resourcesAreKnown: Rule<
  { requested: readonly string[]; accepted: AcceptedResources }
> = {
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

/** Without a list, the client may have all. */
export const resourcesAreAllowed: Rule<
  { requested: readonly string[]; allowed: readonly string[] | undefined }
> = {
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

export const someGrantedResourceIsAllowed: Rule<{ remaining: readonly string[] }> = {
  ...about,
  id: "resource.still_allowed",
  title: "The client may still use one of the granted resources",
  message: "This client may no longer use the granted resources.",
  advice: "Ask the user to authorize the client again, for a resource that it may use.",
  holds: ({ remaining }) => remaining.length > 0,
};

export const resourcesWereGranted: Rule<
  { requested: readonly string[]; granted: readonly string[] }
> = {
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

export const resourcesKnowTheScope: Rule<{ scope: readonly string[]; known: readonly string[] }> = {
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
