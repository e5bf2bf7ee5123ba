import type { Code } from "../issuer/records/rows.ts";
import type { Client } from "../model/client.ts";
import { narrowAccessRights } from "../protocol/access_request.ts";
import { type FormParameters, requireParameter } from "../protocol/form_parameters.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import type { Grant } from "./grant.ts";
import { checkKey, consumeCredential, findCredential } from "./one_time_credential.ts";

const section = "OAuth 2.1, section 4.1.3";
const invalidRequest = errorFactory("invalid_request", section);
const invalidGrant = errorFactory("invalid_grant", section);
/** A person was asked, and the browser brought the code (OAuth 2.1, section 4.1). */
export const authorizationCode: Grant = {
  type: "authorization_code",
  async redeem(ctx, { client, parameters, jkt }) {
    const secret = requireParameter(parameters, "code", section);
    const code = await findCredential(ctx, client, {
      table: ctx.records.codes,
      secret,
      name: "code",
    });
    const { value, authorization } = code;
    checkRedirectUri(value, parameters, client);
    checkKey(code, jkt);
    await checkCodeVerifier(value.codeChallenge, parameters.get("code_verifier"));
    const access = narrowAccessRights(parameters, authorization);
    return {
      entitlement: { ...access, authorization, nonce: value.nonce },
      consume: () => consumeCredential(ctx, code),
    };
  },
};

/** The URI must be the one that the code was sent to, its loopback port included (OAuth 2.1, section 10.2). */
function checkRedirectUri(code: Code, parameters: FormParameters, client: Client): void {
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri === code.redirectUri) return;
  if (redirectUri === undefined) {
    if (client.redirectUriAtToken === "if-present") return;
    throw invalidRequest(
      "The parameter 'redirect_uri' is missing; repeat the one of the authorization request.",
    );
  }
  throw invalidGrant("The redirect_uri is not the one of the authorization request.");
}
