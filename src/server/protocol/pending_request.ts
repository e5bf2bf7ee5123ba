import type { Client } from "../model/client.ts";
import { refersTo } from "../model/client_identity.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import type { InteractiveRequest } from "./interactive_request.ts";
import { redirectUriMatches } from "./redirect_uri.ts";
import { type ApplyRule, requireValue } from "./rule.ts";
import { ruleSet } from "./rule_set.ts";

/** A request whose client polls for the response, by a grant of a feature. */
export interface PolledRequest extends InteractiveRequest {
  responseTarget?: undefined;
}

/** An unfinished request: its response goes to a redirect URI, or its client polls for it. */
export type PendingRequest = AuthorizationRequest | PolledRequest;

/** A request, and its client as it is now. */
interface RequestOfClient {
  pending: PendingRequest;
  client: Client | undefined;
  /** The grant by which the client polls; undefined for a redirect, or without its feature. */
  polledBy: string | undefined;
}

const about = { see: "OAuth 2.1, section 4.1.1", error: "invalid_request" } as const;

const requestRules = ruleSet("request", about, {
  still_allowed: {
    must: "The client must still be allowed to make the request",
    // Users see it.
    message:
      "The application's settings changed during this sign-in. Go back to it and start again.",
    details: { isExpired: true },
    fix: "Start the authorization request again.",
    holds: ({ pending, client, polledBy }: RequestOfClient) =>
      client !== undefined && isSameClient(pending, client) &&
      mayUseFlow(pending, client, polledBy) && mayRequestAccess(pending, client),
  },
});

/** Checks that the client may still make a request that was pending, and returns the client. */
export function checkStillAllowed(
  apply: ApplyRule,
  { pending, client, polledBy }: RequestOfClient,
): Client {
  const request = { pending, client, polledBy };
  return requireValue(apply, requestRules.still_allowed, request, client);
}

/** A request ends with the client that made it, as everything that was issued to the client. */
function isSameClient({ requestedBy }: PendingRequest, client: Client): boolean {
  return refersTo(requestedBy, client);
}

function mayUseFlow(
  { responseTarget }: PendingRequest,
  client: Client,
  polledBy: string | undefined,
): boolean {
  if (!responseTarget) return polledBy !== undefined && client.grantTypes.includes(polledBy);
  const { redirectUri, isVouchedFor = false } = responseTarget;
  const isRegistered = client.redirectUris.some((registered) =>
    redirectUriMatches(registered, redirectUri, client.native)
  );
  return (isRegistered || isVouchedFor) && client.grantTypes.includes("authorization_code");
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
