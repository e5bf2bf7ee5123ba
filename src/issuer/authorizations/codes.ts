import type { Client } from "../../model/client.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Code } from "../records/rows.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { fromNow } from "../time.ts";
import { createAuthorization, revokeAuthorization } from "./authorizations.ts";
import { isConsentStillValid } from "./consents.ts";

const accessDenied = errorFactory("access_denied");

/**
 * Issues a code for what a user has allowed (OAuth 2.1, section 4.1.2). The consent is checked
 * again once the authorization is stored: a withdrawal at the same moment revokes only the
 * authorizations that it finds, and may have looked too early.
 */
export async function issueCode(
  ctx: Context,
  client: Client,
  authorizationRequest: AuthorizationRequest,
  signedIn: SignedInUser,
): Promise<string> {
  const authorization = await createAuthorization(ctx, client, authorizationRequest, signedIn);
  const code = randomSecret(ctx);
  const row: Code = {
    authorization: authorization.id,
    redirectUri: authorizationRequest.responseTarget.redirectUri,
    codeChallenge: authorizationRequest.codeChallenge,
    nonce: authorizationRequest.nonce,
    jkt: authorizationRequest.dpopJkt,
  };
  const [, isConsented] = await Promise.all([
    ctx.records.codes.put(code, row, fromNow(ctx, ctx.settings.lifetimes.code)),
    isConsentStillValid(ctx, signedIn.user, client, authorizationRequest),
  ]);
  if (!isConsented) {
    await revokeAuthorization(ctx, authorization, "its user withdrew the consent meanwhile");
    throw accessDenied("The user has withdrawn this access.");
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
