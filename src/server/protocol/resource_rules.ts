import type { AcceptedResources } from "../model/access_rights.ts";
import { findResources, isAudience, isResourceUri } from "./resource.ts";
import { comparedLists, ruleSet } from "./rule_set.ts";

const about = {
  see: "RFC 8707, section 2",
  parameter: "resource",
  error: "invalid_target",
} as const;

/** The resources that a request names, and those that the server knows. */
interface KnownResources {
  requested: readonly string[];
  accepted: AcceptedResources;
}

/** The scope of a request, and the part of it that the resources accept. */
interface ScopeOfResources {
  scope: readonly string[];
  known: readonly string[];
}

export const resourceRules = ruleSet("resource", about, {
  form: {
    must: "The resource must be an absolute URI without a fragment",
    fix: "Send the URI of the API as the resource.",
    holds: (values: readonly string[]) => values.every(isResourceUri),
    came: describeResources,
  },
  audience_form: {
    parameter: "audience",
    must: "The audience must be an absolute URI without a fragment, or a name",
    fix: "Send the URI or the name of the API as the audience.",
    holds: (values: readonly string[]) => values.every(isAudience),
    came: (values) => values.join(" ") || "no audience",
  },
  known: {
    must: "The resource must be one that the server knows",
    fix: "Request one of the resources in the server's configuration.",
    holds: ({ requested, accepted }: KnownResources) =>
      accepted === "any" || requested.every((uri) => findResources([uri], accepted).length > 0),
    expected: ({ accepted }) =>
      accepted === "any" ? "any" : describeResources(accepted.only.map(({ uri }) => uri)),
    came: ({ requested }) => describeResources(requested),
  },
  allowed: {
    ...comparedLists,
    must: "The resource must be one that the client may request tokens for",
    fix: "Request another resource, or allow this one for the client.",
  },
  // To that client, an access token could look like an ID token.
  no_client: {
    see: "RFC 9068, section 5",
    must: "The resource must be an API, not the id of a client",
    holds: ({ isClient }: { isClient: boolean }) => !isClient,
  },
  still_allowed: {
    must: "One of the granted resources must be one that the client may still use",
    fix: "Ask the user to authorize the client again, for a resource that it may use.",
    holds: ({ remaining }: { remaining: readonly string[] }) => remaining.length > 0,
  },
  granted: {
    ...comparedLists,
    see: "RFC 8707, section 2.2",
    must: "The resource must be one of those that were granted",
    fix: "Include the resource in the authorization request.",
  },
  scope: {
    error: "invalid_scope",
    must: "The resource must accept at least one of the requested scopes",
    // With `openid` the ID token may be what the client wants; without a scope, the authorization
    // details define the access.
    holds: ({ scope, known }: ScopeOfResources) =>
      known.length > 0 || scope.includes("openid") || scope.length === 0,
    came: ({ scope }) => scope.join(" ") || "no scope",
  },
});

function describeResources(uris: readonly string[]): string {
  return uris.join(" ") || "no resource";
}
