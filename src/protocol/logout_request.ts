import type { Client } from "./client.ts";
import { OAuthError } from "./oauth_error.ts";
import type { Parameters } from "./parameters.ts";
import { redirectUriMatches } from "./redirect_uri.ts";
import { replyLocation } from "./reply.ts";

const see = "OpenID Connect RP-Initiated Logout, section 2";

/** What is kept of a request to sign out, beside what its ID token says. The rest is only meant to help. */
export const logoutParameters = ["client_id", "post_logout_redirect_uri", "state"];

/** Which client asks: it says so itself, or the ID token that it sends was made for it. Where it does both, they agree. */
export function readLogoutClientId(parameters: Parameters, hint: { clientId: string } | undefined): string | undefined {
  const clientId = parameters.get("client_id");
  if (clientId !== undefined && hint && clientId !== hint.clientId) {
    throw new OAuthError("invalid_request", "The id_token_hint was made for another client than the client_id names.", { see });
  }
  return clientId ?? hint?.clientId;
}

/** Where the person goes afterwards: nowhere that the client has not registered (section 3). */
export function readReturnLocation(parameters: Parameters, client: Client | undefined): string | undefined {
  const uri = parameters.get("post_logout_redirect_uri");
  if (uri === undefined) return undefined;
  if (!client) {
    throw new OAuthError("invalid_request", "A post_logout_redirect_uri needs an id_token_hint or a client_id beside it.", { see });
  }
  if (!client.postLogoutRedirectUris.some((registered) => redirectUriMatches(registered, uri, client.native))) {
    throw new OAuthError("invalid_request", "The post_logout_redirect_uri is not one that this client has registered.", {
      see: "OpenID Connect RP-Initiated Logout, section 3",
      hint: `It was '${uri}'; registered are: ${client.postLogoutRedirectUris.join(" ")}.`,
    });
  }
  const state = parameters.get("state");
  return state === undefined ? uri : replyLocation({ redirectUri: uri, mode: "query" }, { state });
}
