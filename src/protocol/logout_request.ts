import type { Client } from "../model/client.ts";
import { responseLocation } from "./authorization_response.ts";
import type { FormParameters } from "./form_parameters.ts";
import { errorFactory } from "./oauth_error.ts";
import { redirectUriMatches } from "./redirect_uri.ts";

const see = "OpenID Connect RP-Initiated Logout, section 2";
const invalidRequest = errorFactory("invalid_request", see);
/** What is kept of a request to sign out, beside what its ID token says. The rest is only meant to help. */
export const logoutParameters = ["client_id", "post_logout_redirect_uri", "state"];

/** Which client asks: it says so itself, or the ID token that it sends was made for it. Where it does both, they agree. */
export function readLogoutClientId(
  parameters: FormParameters,
  hint: { clientId: string } | undefined,
): string | undefined {
  const clientId = parameters.get("client_id");
  if (clientId !== undefined && hint && clientId !== hint.clientId) {
    throw invalidRequest("The id_token_hint was made for another client than the client_id names.");
  }
  return clientId ?? hint?.clientId;
}

/** Where a person goes after a sign-out. */
export interface PostLogoutRedirect {
  /**
   * The address that the client has registered, with the state; undefined if the person stays here.
   */
  location?: string;
  /** Why an address that came along is not used: it is dropped, and the person is asked. */
  dropped?: string;
}

/**
 * Reads where the person goes after a sign-out: nowhere but to an address that the client has
 * registered (section 3).
 */
export function readPostLogoutRedirect(
  parameters: FormParameters,
  client: Client | undefined,
): PostLogoutRedirect {
  const uri = parameters.get("post_logout_redirect_uri");
  if (uri === undefined) return {};
  if (!client) return drop(uri, "it needs an id_token_hint or a client_id beside it");
  if (
    !client.postLogoutRedirectUris.some((registered) =>
      redirectUriMatches(registered, uri, client.native)
    )
  ) {
    return drop(
      uri,
      `the client has registered ${client.postLogoutRedirectUris.join(" ") || "none"}`,
    );
  }
  const state = parameters.get("state");
  return {
    location: state === undefined
      ? uri
      : responseLocation({ redirectUri: uri, mode: "query" }, { state }),
  };
}

function drop(uri: string, reason: string): PostLogoutRedirect {
  return {
    dropped:
      `The post_logout_redirect_uri '${uri}' is not used: ${reason}. See OpenID Connect RP-Initiated Logout, section 3.`,
  };
}
