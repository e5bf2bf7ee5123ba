import type { Client } from "../protocol/client.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { required } from "../protocol/parameters.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import { narrowResources } from "../protocol/resource.ts";
import type { Code } from "../issuer/rows.ts";
import { findStanding } from "../issuer/standing.ts";
import type { Grant } from "./grant.ts";
import { spend } from "./spend.ts";

const section = "OAuth 2.1, section 4.1.3";

/** A person was asked, and the browser brought the code (OAuth 2.1, section 4.1). */
export const authorizationCode: Grant = {
  type: "authorization_code",
  async redeem(ctx, { client, parameters }) {
    const secret = required(parameters, "code", section);
    const entry = await ctx.records.codes.get(secret);
    const standing = entry && await findStanding(ctx, entry.value.authorization);
    if (!standing || standing.client.id !== client.id) throw refuse("The code is unknown, expired, revoked, or another client's.");
    const { authorization } = standing;
    checkRedirectUri(entry.value, parameters, client);
    await checkCodeVerifier(entry.value.codeChallenge, parameters.get("code_verifier"));
    const resources = narrowResources(parameters.all("resource"), authorization.resources);
    await spend(ctx, { table: ctx.records.codes, secret, authorization, what: "code" });
    ctx.emit({ type: "code.redeemed", authorization: authorization.id, client: client.id });
    return { subject: authorization.subject, scope: authorization.scope, resources, authorization, nonce: entry.value.nonce };
  },
};

/** The URI must be the one that the code was sent to, its loopback port included (OAuth 2.1, section 10.2). */
function checkRedirectUri(code: Code, parameters: Parameters, client: Client): void {
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === undefined && client.redirectUriAtToken === "if-present") return;
  if (redirectUri === undefined) {
    throw new OAuthError("invalid_request", "The parameter 'redirect_uri' is missing; repeat the one of the authorization request.", {
      see: section,
    });
  }
  if (redirectUri !== code.redirectUri) throw refuse("The redirect_uri is not the one of the authorization request.");
}

function refuse(message: string): OAuthError {
  return new OAuthError("invalid_grant", message, { see: section });
}
