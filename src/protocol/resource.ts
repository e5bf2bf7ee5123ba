import type { AcceptedResources, Resource } from "../model/access_rights.ts";
import { isAbsoluteUri } from "../util/uri.ts";
import { errorFactory } from "./oauth_error.ts";

const section = "RFC 8707, section 2";
const invalidScope = errorFactory("invalid_scope", section);
const invalidTarget = errorFactory("invalid_target", section);

/** Reads the resources that a token is for; the scope must mean something to one of them (RFC 8707, section 2). */
export function readResources(
  values: readonly string[],
  scope: readonly string[],
  rule: AcceptedResources,
): string[] {
  for (const value of values) {
    if (!isResource(value)) {
      throw invalidTarget("A resource is an absolute URI without a fragment.");
    }
    if (rule !== "any" && findResources([value], rule).length === 0) {
      throw invalidTarget("The resource is not known to this server.");
    }
  }
  const resources = [...new Set(values)];
  if (resources.length > 0) scopeAt(resources, scope, rule);
  return resources;
}

/**
 * Checks that a client may ask tokens for these resources; `allowed` is undefined where it may ask
 * for any.
 */
export function checkAllowedResources(
  resources: readonly string[],
  allowed: readonly string[] | undefined,
): void {
  const beyond = resources.find((uri) => allowed !== undefined && !allowed.includes(uri));
  if (beyond !== undefined) {
    throw invalidTarget("This client may not ask for tokens for this resource.", {
      hint: `It may for: ${allowed!.join(" ")}.`,
    });
  }
}

/**
 * The granted resources that a client may still have. None left is an error: an empty list would
 * mean the default resource.
 */
export function keepAllowedResources(
  granted: readonly string[],
  allowed: readonly string[] | undefined,
): string[] {
  const left = granted.filter((uri) => allowed === undefined || allowed.includes(uri));
  if (left.length > 0 || granted.length === 0) return left;
  throw invalidTarget("This client may no longer have tokens for the resources that were granted.");
}

/** What is configured of these resources. */
export function findResources(uris: readonly string[], rule: AcceptedResources): Resource[] {
  return rule === "any" ? [] : rule.only.filter(({ uri }) => uris.includes(uri));
}

/** As much of a scope as makes sense at one of these resources at least; a token says no more than its reader understands. */
export function scopeAt(
  uris: readonly string[],
  scope: readonly string[],
  rule: AcceptedResources,
): string[] {
  const known = findResources(uris, rule);
  const isKnown = (token: string) =>
    known.some(({ scopes }) => scopes === undefined || scopes.includes(token));
  const rest = known.length < uris.length ? [...scope] : scope.filter(isKnown);
  // With `openid` the token may be no more than what comes along with an ID token; without any scope, details say what it allows.
  if (rest.length > 0 || scope.includes("openid") || scope.length === 0) return rest;
  throw invalidScope("The resource that is asked for knows nothing of the scope.");
}

/** Absolute, and without a fragment. */
export function isResource(text: string): boolean {
  return isAbsoluteUri(text) && !text.includes("#");
}

/** A place on the web. */
export function isWebUrl(text: string): boolean {
  return isResource(text) && /^https?:/i.test(text);
}

/** Narrows to some of what was granted; a token request can never widen it (RFC 8707, section 2.2). */
export function narrowResources(wanted: readonly string[], granted: readonly string[]): string[] {
  if (wanted.length === 0) return [...granted];
  for (const value of wanted) {
    if (!granted.includes(value)) {
      throw invalidTarget("The resource was not part of what was granted.");
    }
  }
  return [...new Set(wanted)];
}

/** Narrows the targets of an exchange: resources by their URI, and audiences by whatever name they have (RFC 8693, section 2.1). */
export function narrowTargets(
  wanted: { resources: readonly string[]; audiences: readonly string[] },
  allowed: readonly string[],
): string[] {
  if (!wanted.resources.every(isResource)) {
    throw invalidTarget("A resource is an absolute URI without a fragment.");
  }
  return narrowResources([...wanted.resources, ...wanted.audiences], allowed);
}
