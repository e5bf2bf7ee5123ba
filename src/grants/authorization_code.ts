import type { Client } from "../model/client.ts";
import { narrowAccessRights } from "../protocol/access_request.ts";
import { type FormParameters, requireParameter } from "../protocol/form_parameters.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import type { Grant } from "./grant.ts";
import { checkKeyBinding, consumeCredential, requireCredential } from "./one_time_credential.ts";

const section = "OAuth 2.1, section 4.1.3";
const invalidRequest = errorFactory("invalid_request", section);
const invalidGrant = errorFactory("invalid_grant", section);

/** Redeems the code that the browser brought to the client (OAuth 2.1, section 4.1). */
export const authorizationCodeGrant: Grant = {
  type: "authorization_code",
  async redeem(ctx, { client, parameters, jkt }) {
    const code = requireParameter(parameters, "code", section);
    const credential = await requireCredential(ctx, client, {
      table: ctx.records.codes,
      secret: code,
      name: "code",
    });
    const { value, authorization } = credential;
    checkRedirectUri(parameters, client, value.redirectUri);
    checkKeyBinding(credential, jkt);
    await checkCodeVerifier(value.codeChallenge, parameters.get("code_verifier"));
    const access = narrowAccessRights(parameters, authorization, ctx.settings);
    return {
      entitlement: { ...access, authorization, nonce: value.nonce },
      consume: () => consumeCredential(ctx, credential),
    };
  },
};

/** Checks that this URI received the code, port included (OAuth 2.1, section 10.2). */
function checkRedirectUri(parameters: FormParameters, client: Client, expected: string): void {
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === expected) return;
  if (redirectUri !== undefined) {
    throw invalidGrant("The redirect_uri must be the one of the authorization request.");
  }
  if (client.redirectUriAtToken === "if-present") return;
  throw invalidRequest(
    "The parameter 'redirect_uri' is missing. Send the one of the authorization request.",
  );
}
