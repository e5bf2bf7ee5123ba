import { narrowAccessRights, readRequestedAccess } from "../protocol/access_request.ts";
import { codeRules } from "../protocol/credential_rules.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import type { Grant } from "./grant.ts";
import { authorizeByUnknown, requireCredential, useOnce } from "./one_time_credential.ts";

/** Redeems the code that the browser brought to the client (OAuth 2.1, section 4.1). */
export const authorizationCodeGrant: Grant = {
  type: "authorization_code",
  async redeem(ctx, { client, parameters, jkt }) {
    const presented = {
      rules: codeRules,
      table: ctx.records.codes,
      secret: parameters.get("code"),
    };
    const requested = readRequestedAccess(parameters, ctx.settings);
    // Only what wraps the server presumes that an unknown code is good.
    const presumed = ctx.hooks.admits?.grant &&
      await authorizeByUnknown(ctx, client, { ...presented, kind: "code", requested });
    if (presumed) {
      const access = narrowAccessRights(ctx.apply, requested, presumed, ctx.settings);
      return { entitlement: { ...access, authorization: presumed } };
    }
    // Known, not expired, active, and this client's. A used one passes, and is refused last.
    const credential = await requireCredential(ctx, client, presented);
    const { value, authorization, user } = credential;
    const sent = parameters.get("redirect_uri");
    const redirectUris = { sent, requested: value.redirectUri, client };
    ctx.apply(codeRules.redirect_uri_present, redirectUris);
    ctx.apply(codeRules.redirect_uri, redirectUris);
    if (value.jkt !== undefined) ctx.apply(codeRules.key, { received: jkt, expected: value.jkt });
    const { codeChallenge: challenge, nonce } = value;
    ctx.apply(codeRules.challenge, { challenge, client, nonce, scope: authorization.scope });
    await checkCodeVerifier(ctx.apply, challenge, parameters.get("code_verifier"));
    const access = narrowAccessRights(ctx.apply, requested, authorization, ctx.settings);
    return {
      entitlement: { ...access, authorization, user, nonce },
      use: useOnce(ctx, credential),
    };
  },
};
