import type { Client } from "../model/client.ts";
import { credentialTexts, invalidCredential, keyText } from "./credential_rules.ts";
import { requiresPkce } from "./pkce.ts";
import { ruleSet } from "./rule_set.ts";

/** The redirect URI of a token request, and that of the authorization request before it. */
interface RedirectUriPair {
  sent: string | undefined;
  requested: string;
  client: Pick<Client, "redirectUriAtToken">;
}

/** The challenge of the authorization request, and the client that redeems the code. */
interface ChallengedCode {
  challenge: string | undefined;
  client: Client;
}

const code = {
  parameter: "code",
  see: "OAuth 2.1, section 4.1.3",
  seeSecondUse: "OAuth 2.1, section 7.5.2",
};

const redirectUri = {
  see: "OAuth 2.1, section 10.2",
  parameter: "redirect_uri",
  expected: ({ requested }: RedirectUriPair) => requested,
  came: ({ sent }: RedirectUriPair) => sent ?? "none",
} as const;

export const codeRules = ruleSet("code", invalidCredential(code), {
  ...credentialTexts(code),
  key: keyText(code),
  redirect_uri_present: {
    ...redirectUri,
    error: "invalid_request",
    must: "The request must repeat the redirect_uri of the authorization request",
    holds: ({ sent, client }: RedirectUriPair) =>
      sent !== undefined || client.redirectUriAtToken === "if-present",
  },
  // Compared exactly: only the authorization endpoint ignores the port of a loopback URI.
  redirect_uri: {
    ...redirectUri,
    must: "The redirect_uri must be identical to the one of the authorization request",
    holds: ({ sent, requested }: RedirectUriPair) => sent === undefined || sent === requested,
  },
  // The client may have made itself public since the request.
  challenge: {
    see: "RFC 9700, section 2.1.1",
    must: "A code without a code_challenge must be redeemed by a client that needs none",
    fix: "Send a code_challenge with the authorization request.",
    holds: ({ challenge, client }: ChallengedCode) =>
      challenge !== undefined || !requiresPkce(client),
  },
});
