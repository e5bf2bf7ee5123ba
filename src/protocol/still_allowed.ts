import type { Client } from "./client.ts";
import type { Asked } from "./asked.ts";
import { deviceCodeGrant } from "./device_request.ts";
import { OAuthError } from "./oauth_error.ts";
import { redirectUriMatches } from "./redirect_uri.ts";

/** A request that has waited is worth what its client may ask for now. */
export function checkStillAllowed(asked: Asked, client: Client | undefined): Client {
  if (client && mayAskThisWay(asked, client) && mayAskForThis(asked, client)) return client;
  throw new OAuthError("invalid_request", "The application was changed while this sign-in waited. Go back to it and start again.");
}

function mayAskForThis({ scope, resources, authorizationDetails = [] }: Asked, client: Client): boolean {
  const { allowedResources = resources } = client;
  const hasTypes = authorizationDetails.every(({ type }) => client.authorizationDetailsTypes.includes(type));
  const hasResources = resources.every((uri) => allowedResources.includes(uri));
  return hasTypes && hasResources && scope.every((token) => client.scopes.includes(token));
}

function mayAskThisWay({ replyTo }: Asked, client: Client): boolean {
  if (!replyTo) return client.grantTypes.includes(deviceCodeGrant);
  const isTrusted = client.redirectUris.some((registered) => redirectUriMatches(registered, replyTo.redirectUri, client.native));
  return isTrusted && client.grantTypes.includes("authorization_code");
}
