import type { AcceptedResources } from "../model/access_token.ts";
import { type Client, refersTo } from "../model/client.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import { type ClaimRules, narrowClaimsRequest } from "./claim_rules.ts";
import { hasOperatorUrls } from "./client_trust.ts";
import type { InteractiveRequest } from "./interactive_request.ts";
import { isRegistered } from "./redirect_uri.ts";
import { findResources } from "./resource.ts";
import { type ApplyRule, requireValue, ruleSet } from "./rule.ts";

/** More choices would not fit into one form, so such a request is allowed as a whole. */
const maxChoices = 200;

/** A request whose client polls for the response, by a grant of a feature. */
export interface PolledRequest extends InteractiveRequest {
  responseTarget?: undefined;
}

/** An unfinished request: its response goes to a redirect URI, or its client polls for it. */
export type PendingRequest = AuthorizationRequest | PolledRequest;

interface RequestOfClient {
  pending: PendingRequest;
  client: Client | undefined;
  /** The grant by which the client polls; undefined for a redirect, or without its feature. */
  polledBy: string | undefined;
}

const about = { see: "OAuth 2.1, section 4.1.1", error: "invalid_request" } as const;

const pendingRequestRules = ruleSet("request", about, {
  still_allowed: {
    title: "The client must still be allowed to make the request",
    // Users see it.
    message:
      "The application's settings changed during this sign-in. Go back to it and start again.",
    details: { isExpired: true },
    fix: "Start the authorization request again.",
    // A request ends with the client that made it, as everything that was issued to the client.
    holds: ({ pending, client, polledBy }: RequestOfClient) =>
      client !== undefined && refersTo(pending.requestedBy, client) &&
      mayUseFlow(pending, client, polledBy) && mayRequestAccess(pending, client),
  },
});

/** Checks that the client may still make a request that was pending, and returns the client. */
export function checkStillAllowed(apply: ApplyRule, request: RequestOfClient): Client {
  return requireValue(apply, pendingRequestRules.still_allowed, request, request.client);
}

/**
 * Whether the user may allow a part of the requested scope: the client or a resource permits it.
 */
export function allowsPartialConsent(
  { resources: accepted, defaultResource }: {
    resources: AcceptedResources;
    defaultResource: string;
  },
  { partialConsent }: Client,
  { resources }: PendingRequest,
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

function mayUseFlow(
  { responseTarget }: PendingRequest,
  client: Client,
  polledBy: string | undefined,
): boolean {
  if (!responseTarget) return polledBy !== undefined && client.grantTypes.includes(polledBy);
  const { redirectUri, isVouchedFor = false } = responseTarget;
  return (isRegistered(client, redirectUri) || isVouchedFor) &&
    client.grantTypes.includes("authorization_code");
}

function mayRequestAccess(
  { scope, resources, authorizationDetails = [] }: PendingRequest,
  client: Client,
): boolean {
  const { allowedResources = resources } = client;
  const hasTypes = authorizationDetails.every(({ type }) =>
    client.authorizationDetailsTypes.includes(type)
  );
  const hasResources = resources.every((uri) => allowedResources.includes(uri));
  return hasTypes && hasResources && scope.every((token) => client.scopes.includes(token));
}

/** Whether the operator allowed a request for all users: of a trusted client, through the browser. */
export function skipsConsent(
  client: Pick<Client, "consent" | "trusted"> & Partial<Pick<Client, "registration">>,
  { responseTarget, authorizationDetails, prompt }: PendingRequest,
): boolean {
  return client.consent === "skip" && hasOperatorUrls(client) && responseTarget !== undefined &&
    authorizationDetails === undefined &&
    !prompt.includes("consent");
}
