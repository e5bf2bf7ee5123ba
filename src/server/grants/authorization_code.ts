import type { Context } from "../issuer/context.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import {
  narrowAccessRights,
  readRequestedAccess,
  type RequestedAccess,
} from "../protocol/access_request.ts";
import { codeRules } from "../protocol/credential_rules.ts";
import { checkCodeVerifier } from "../protocol/pkce.ts";
import type { Grant, GrantResult } from "./grant.ts";
import { authorizeByUnknown, requireCredential, useOnce } from "./one_time_credential.ts";

/** Redeems the code that the browser brought to the client (OAuth 2.1, section 4.1). */
export const authorizationCodeGrant: Grant = {
  type: "authorization_code",
  async redeem(ctx, { client, parameters, jkt }) {
    const request = {
      code: parameters.get("code"),
      redirectUri: parameters.get("redirect_uri"),
      codeVerifier: parameters.get("code_verifier"),
      access: readRequestedAccess(parameters, ctx.settings),
    };
    // Only what wraps the server presumes that an unknown code is good.
    const presumed = ctx.hooks.presumeGrant && await authorizeByUnknown(ctx, client, {
      kind: "code",
      table: ctx.records.codes,
      value: request.code,
      requested: request.access,
    });
    if (presumed) return entitle(ctx, request.access, presumed);
    // Known, not expired, active, and this client's. A used one passes, and is refused last.
    const credential = await requireCredential(ctx, client, {
      rules: codeRules,
      table: ctx.records.codes,
      secret: request.code,
    });
    const { value, authorization } = credential;
    const redirectUris = { sent: request.redirectUri, requested: value.redirectUri, client };
    ctx.apply(codeRules.redirect_uri_present, redirectUris);
    ctx.apply(codeRules.redirect_uri, redirectUris);
    if (value.jkt !== undefined) ctx.apply(codeRules.key, { came: jkt, expected: value.jkt });
    ctx.apply(codeRules.challenge, { challenge: value.codeChallenge, client });
    await checkCodeVerifier(ctx.apply, value.codeChallenge, request.codeVerifier);
    return {
      ...entitle(ctx, request.access, authorization, value.nonce),
      use: useOnce(ctx, credential),
    };
  },
};

function entitle(
  ctx: Context,
  requested: RequestedAccess,
  authorization: Authorization,
  nonce?: string,
): GrantResult {
  const access = narrowAccessRights(ctx.apply, requested, authorization, ctx.settings);
  return { entitlement: { ...access, authorization, nonce } };
}
