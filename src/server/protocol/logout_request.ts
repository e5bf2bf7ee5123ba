import type { Client } from "../model/client.ts";
import { responseLocation } from "./authorization_response.ts";
import type { FormParameters } from "./form_parameters.ts";
import { redirectUriMatches } from "./redirect_uri.ts";
import type { ApplyRule, Rule } from "./rule.ts";

export const logoutClientIsTheSame: Rule<
  { clientId: string | undefined; hinted: string | undefined }
> = {
  id: "logout.same_client",
  title: "The id_token_hint was issued to the client of the client_id",
  see: "OpenID Connect RP-Initiated Logout, section 2",
  parameter: "id_token_hint",
  error: "invalid_request",
  message: "The id_token_hint was issued to a different client than the client_id.",
  advice: "Send an ID token that was issued to this client, or omit the client_id.",
  holds: ({ clientId, hinted }) =>
    clientId === undefined || hinted === undefined || clientId === hinted,
  expected: ({ clientId }) => clientId,
  came: ({ hinted }) => hinted,
};

/** The stored parameters of a logout request, besides the contents of its ID token. */
export const logoutParameters: readonly string[] = [
  "client_id",
  "post_logout_redirect_uri",
  "state",
];

/** Returns the client that a logout request names. The `client_id` and the ID token must agree. */
export function readLogoutClientId(
  apply: ApplyRule,
  parameters: FormParameters,
  hint: { clientId: string } | undefined,
): string | undefined {
  const clientId = parameters.get("client_id");
  apply(logoutClientIsTheSame, { clientId, hinted: hint?.clientId });
  return clientId ?? hint?.clientId;
}

/** Where the browser goes after a sign-out. */
export interface PostLogoutRedirect {
  /** The registered URI, with the state; undefined if the browser stays on our page. */
  location?: string;
  /** Why a requested URI is ignored. The user is asked then. */
  problem?: string;
}

/** Reads where the browser goes after a sign-out: only to a registered URI (section 3). */
export function readPostLogoutRedirect(
  parameters: FormParameters,
  client: Client | undefined,
): PostLogoutRedirect {
  const uri = parameters.get("post_logout_redirect_uri");
  if (uri === undefined) return {};
  if (!client) return ignoredUri(uri, "it needs an id_token_hint or a client_id");
  const isRegistered = client.postLogoutRedirectUris.some((registered) =>
    redirectUriMatches(registered, uri, client.native)
  );
  if (!isRegistered) {
    const registered = client.postLogoutRedirectUris.join(" ") || "none";
    return ignoredUri(uri, `it is not registered; registered: ${registered}`);
  }
  const state = parameters.get("state");
  if (state === undefined) return { location: uri };
  return { location: responseLocation({ redirectUri: uri, mode: "query" }, { state }) };
}

function ignoredUri(uri: string, reason: string): PostLogoutRedirect {
  return {
    problem: `The post_logout_redirect_uri '${uri}' is ignored: ${reason}. ` +
      "See OpenID Connect RP-Initiated Logout, section 3.",
  };
}
