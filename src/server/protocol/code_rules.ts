import type { Client } from "../model/client.ts";
import type { Rule } from "./rule.ts";

/** The redirect URI of a token request, and that of the authorization request before it. */
interface RedirectUriPair {
  sent: string | undefined;
  requested: string;
  client: Pick<Client, "redirectUriAtToken">;
}

const about = {
  see: "OAuth 2.1, section 10.2",
  parameter: "redirect_uri",
  advice: "Send the redirect_uri of the authorization request again, unchanged.",
} as const;

/** The redirect URI must be sent again, unless the client may omit it. */
export const redirectUriIsSent: Rule<RedirectUriPair> = {
  ...about,
  id: "code.redirect_uri_present",
  title: "The redirect URI of the authorization request is repeated",
  error: "invalid_request",
  message: "The parameter 'redirect_uri' is missing. Send the one of the authorization request.",
  holds: ({ sent, client }) => sent !== undefined || client.redirectUriAtToken === "if-present",
  expected: ({ requested }) => requested,
  came: ({ sent }) => sent ?? "none",
};

/** Compared exactly: only the authorization endpoint ignores the port of a loopback URI. */
export const redirectUriIsTheSame: Rule<RedirectUriPair> = {
  ...about,
  id: "code.redirect_uri",
  title: "The redirect URI is that of the authorization request",
  error: "invalid_grant",
  message: "The redirect_uri must be the one of the authorization request.",
  holds: ({ sent, requested }) => sent === undefined || sent === requested,
  expected: ({ requested }) => requested,
  came: ({ sent }) => sent ?? "none",
};
