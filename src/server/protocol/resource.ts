import type { AcceptedResources, Resource } from "../model/access_token.ts";
import { isAbsoluteUri } from "../util/addresses/uri.ts";
import { comparedLists, ruleSet } from "./rule.ts";

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
 * token for one must not be issued instead of the other.
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

const about = {
  see: "RFC 8707, section 2",
  parameter: "resource",
  error: "invalid_target",
} as const;

export const resourceRules = ruleSet("resource", about, {
  form: {
    title: "The resource must be an absolute URI without a fragment",
    fix: "Send the URI of the API as the resource.",
    holds: (values: readonly string[]) => values.every(isResourceUri),
    received: describeResources,
  },
  audience_form: {
    parameter: "audience",
    title: "The audience must be an absolute URI without a fragment, or a name",
    fix: "Send the URI or the name of the API as the audience.",
    holds: (values: readonly string[]) => values.every(isAudience),
    received: (values) => values.join(" ") || "no audience",
  },
  known: {
    title: "The resource must be one that the server knows",
    fix: "Request one of the resources in the server's configuration.",
    holds: (
      { requested, accepted }: { requested: readonly string[]; accepted: AcceptedResources },
    ) => accepted === "any" || requested.every((uri) => findResources([uri], accepted).length > 0),
    expected: ({ accepted }) =>
      accepted === "any" ? "any" : describeResources(accepted.only.map(({ uri }) => uri)),
    received: ({ requested }) => describeResources(requested),
  },
  allowed: {
    ...comparedLists,
    title: "The resource must be one that the client may request tokens for",
    fix: "Request another resource, or allow this one for the client.",
  },
  // To that client, an access token could look like an ID token.
  no_client: {
    see: "RFC 9068, section 5",
    title: "The resource must be an API, not the id of a client",
    holds: ({ isClient }: { isClient: boolean }) => !isClient,
  },
  still_allowed: {
    title: "One of the granted resources must be one that the client may still use",
    fix: "Ask the user to authorize the client again, for a resource that it may use.",
    holds: ({ remaining }: { remaining: readonly string[] }) => remaining.length > 0,
  },
  granted: {
    ...comparedLists,
    see: "RFC 8707, section 2.2",
    title: "The resource must be one of those that were granted",
    fix: "Include the resource in the authorization request.",
  },
  scope: {
    error: "invalid_scope",
    title: "The resource must accept at least one of the requested scopes",
    // With `openid` the ID token may be what the client wants; without a scope, the authorization
    // details define the access.
    holds: ({ scope, known }: { scope: readonly string[]; known: readonly string[] }) =>
      known.length > 0 || scope.includes("openid") || scope.length === 0,
    received: ({ scope }) => scope.join(" ") || "no scope",
  },
});

function describeResources(uris: readonly string[]): string {
  return uris.join(" ") || "no resource";
}
