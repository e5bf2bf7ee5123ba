import type { Client } from "../../model/client.ts";
import { responseLocation } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { redirectUriMatches } from "../../protocol/redirect_uri.ts";
import { type ApplyRule, compared, ruleSet } from "../../protocol/rule.ts";
import { postLogoutRedirectUrisOf } from "./config.ts";

const about = {
  see: "OpenID Connect RP-Initiated Logout, section 2",
  error: "invalid_request",
} as const;

export const logoutRules = ruleSet("logout", about, {
  same_client: {
    ...compared,
    parameter: "id_token_hint",
    title: "The id_token_hint must have been issued to the client of the client_id",
    fix: "Send an ID token that was issued to this client, or omit the client_id.",
  },
  current: {
    title: "The request to sign out must not have expired",
    // Users see it.
    message: "This request to sign out has expired. Go back to the application and start again.",
    details: { isExpired: true },
    fix: "Send the user to the end_session_endpoint again.",
  },
});

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
  if (clientId !== undefined && hint) {
    apply(logoutRules.same_client, { received: hint.clientId, expected: clientId });
  }
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
  const registeredUris = postLogoutRedirectUrisOf(client);
  const isRegistered = registeredUris.some((registered) =>
    redirectUriMatches(registered, uri, client.native)
  );
  if (!isRegistered) {
    const registered = registeredUris.join(" ") || "none";
    return ignoredUri(uri, `it is not registered; registered: ${registered}`);
  }
  const state = parameters.get("state");
  if (state === undefined) return { location: uri };
  return { location: responseLocation({ redirectUri: uri, mode: "query" }, { state }) };
}

/**
 * Whether the browser may be redirected after a sign-out without the user's confirmation. An ID
 * token of an untrusted client proves little: its owner can publish the token, and anyone could
 * then use this server as an open redirect (OpenID Connect RP-Initiated Logout, section 3; RFC
 * 9700, section 4.11.2).
 */
export function mayRedirectAfterLogout(
  { trusted }: Pick<Client, "trusted">,
  { isFromClient, isOwnSession, isConfirmed }: {
    /** The request contains an ID token that this server issued, or needs none. */
    isFromClient: boolean;
    /** That ID token was issued in the session that ends now. */
    isOwnSession: boolean;
    /** The user confirmed on a page that names the client, and warns about an untrusted one. */
    isConfirmed: boolean;
  },
): boolean {
  return isConfirmed || isOwnSession || (trusted && isFromClient);
}

function ignoredUri(uri: string, reason: string): PostLogoutRedirect {
  return {
    problem: `The post_logout_redirect_uri '${uri}' is ignored: ${reason}. ` +
      "See OpenID Connect RP-Initiated Logout, section 3.",
  };
}
