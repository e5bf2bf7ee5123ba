import type { Client } from "../model/client.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import { deviceCodeGrant, type DeviceRequest } from "./device_request.ts";
import { errorFactory } from "./oauth_error.ts";
import { redirectUriMatches } from "./redirect_uri.ts";

const invalidRequest = errorFactory("invalid_request");

/** A request that has waited is worth what its client may ask for now. */
export function checkStillAllowed(pending: PendingRequest, client: Client | undefined): Client {
  if (client && mayAskThisWay(pending, client) && mayAskForThis(pending, client)) return client;
  throw invalidRequest(
    "The application was changed while this sign-in waited. Go back to it and start again.",
  );
}

function mayAskForThis(
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

function mayAskThisWay({ responseTarget }: PendingRequest, client: Client): boolean {
  if (!responseTarget) return client.grantTypes.includes(deviceCodeGrant);
  const isTrusted = client.redirectUris.some((registered) =>
    redirectUriMatches(registered, responseTarget.redirectUri, client.native)
  );
  return isTrusted && client.grantTypes.includes("authorization_code");
}

/** A request to a person, of either kind: its answer goes to a redirect URI, or waits for a device. */
export type PendingRequest = AuthorizationRequest | DeviceRequest;
