import type { AcceptedResources } from "../model/access_rights.ts";
import type { Client } from "../model/client.ts";
import { type ClaimRules, narrowClaimsRequest } from "./claim_rules.ts";
import type { PendingRequest } from "./pending_request.ts";
import { findResources } from "./resource.ts";

/** More choices would not fit into one form, so such a request is allowed as a whole. */
const maxChoices = 200;

/** The settings of a server on which partial consent depends. */
export interface PartialConsentRules {
  resources: AcceptedResources;
  defaultResource: string;
}

/**
 * Whether the user may allow a part of the requested scope: the client or a resource permits it.
 */
export function allowsPartialConsent(
  { resources: accepted, defaultResource }: PartialConsentRules,
  { partialConsent }: Pick<Client, "partialConsent">,
  { resources }: Pick<PendingRequest, "resources">,
): boolean {
  const targets = resources.length > 0 ? resources : [defaultResource];
  return partialConsent || findResources(targets, accepted).some((each) => each.partialConsent);
}

/** Returns the scopes for which the consent page has a box. */
export function offeredScopes(scope: readonly string[]): string[] {
  const refusable = refusableScopes(scope);
  return refusable.length > maxChoices ? [] : refusable;
}

/**
 * Returns the scopes that a user may refuse one by one. Without `openid`, the response would be
 * that of another protocol, so it is refused with the whole request only.
 */
export function refusableScopes(scope: readonly string[]): string[] {
  return scope.filter((token) => token !== "openid");
}

/** Narrows a request to what is left of its scope without the refused part. */
export function withoutScopes<Request extends PendingRequest>(
  pending: Request,
  refused: readonly string[],
  rules: ClaimRules,
): Request {
  return narrowRequest(pending, pending.scope.filter((token) => !refused.includes(token)), rules);
}

/** Whether a request grants anything. Authorization details can be all of it. */
export function grantsAnything(
  { scope, authorizationDetails = [] }: Pick<PendingRequest, "scope" | "authorizationDetails">,
): boolean {
  return scope.length + authorizationDetails.length > 0;
}

/** Narrows a request to the part of its scope that is granted, and to the claims of that part. */
export function narrowRequest<Request extends PendingRequest>(
  pending: Request,
  granted: readonly string[],
  rules: ClaimRules,
): Request {
  const scope = pending.scope.filter((token) => granted.includes(token));
  if (scope.length === pending.scope.length) return pending;
  const narrowed = { requested: pending.scope, granted: scope };
  return { ...pending, scope, claims: narrowClaimsRequest(pending.claims, narrowed, rules) };
}
