import type { Client } from "../../model/client.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { after } from "../time.ts";
import { createAuthorization, revokeAuthorization } from "./authorizations.ts";
import { consentHolds } from "./consents.ts";

const accessDenied = errorFactory("access_denied");

/**
 * Gives out a code for what a person has allowed (OAuth 2.1, section 4.1.2). The consent is looked up once more when the
 * authorization is written: someone who takes it back revokes the authorizations that are there, and may have looked too early.
 */
export async function issueCode(
  ctx: Context,
  client: Client,
  authorizationRequest: AuthorizationRequest,
  signedIn: SignedInUser,
): Promise<string> {
  const authorization = await createAuthorization(ctx, client, authorizationRequest, signedIn);
  const code = randomSecret(ctx);
  const row = {
    authorization: authorization.id,
    redirectUri: authorizationRequest.responseTarget.redirectUri,
    codeChallenge: authorizationRequest.codeChallenge,
    nonce: authorizationRequest.nonce,
    jkt: authorizationRequest.dpopJkt,
  };
  const [, holds] = await Promise.all([
    ctx.records.codes.put(code, row, after(ctx, ctx.settings.lifetimes.code)),
    consentHolds(ctx, signedIn.user, client, authorizationRequest),
  ]);
  if (!holds) {
    await revokeAuthorization(ctx, authorization, "its user took the consent back meanwhile");
    throw accessDenied("The user took this access back meanwhile.");
  }
  ctx.emit({
    type: "code.issued",
    authorization: authorization.id,
    client: client.id,
    user: signedIn.user.name,
    scope: authorizationRequest.scope,
  });
  return code;
}
