import type { Client } from "../model/client.ts";
import { refersTo } from "../model/client_identity.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import type { DeviceRequest } from "./device_request.ts";
import { deviceCodeGrantType } from "./grant_types.ts";
import { redirectUriMatches } from "./redirect_uri.ts";
import { type ApplyRule, requireValue } from "./rule.ts";
import { ruleSet } from "./rule_set.ts";

/**
 * An unfinished request of either kind. Its response goes to a redirect URI or to a polling device.
 */
export type PendingRequest = AuthorizationRequest | DeviceRequest;

/** A request, and its client as it is now. */
interface RequestOfClient {
  pending: PendingRequest;
  client: Client | undefined;
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
    holds: ({ pending, client }: RequestOfClient) =>
      client !== undefined && isSameClient(pending, client) && mayUseFlow(pending, client) &&
      mayRequestAccess(pending, client),
  },
});

/** Checks that the client may still make a request that was pending, and returns the client. */
export function checkStillAllowed(
  apply: ApplyRule,
  pending: PendingRequest,
  client: Client | undefined,
): Client {
  return requireValue(apply, requestRules.still_allowed, { pending, client }, client);
}

/** A request ends with the client that made it, as everything that was issued to the client. */
function isSameClient({ requestedBy }: PendingRequest, client: Client): boolean {
  return refersTo(requestedBy, client);
}

function mayUseFlow({ responseTarget }: PendingRequest, client: Client): boolean {
  if (!responseTarget) return client.grantTypes.includes(deviceCodeGrantType);
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
