import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { Client } from "../../protocol/client.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { createAuthorization, revokeAuthorization } from "./authorizations.ts";
import { consentHolds } from "./consents.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { SignedIn } from "../sessions/sessions.ts";
import { after } from "../time.ts";

/**
 * Gives out a code for what a person has allowed (OAuth 2.1, section 4.1.2). The consent is looked up once more when the
 * authorization is written: someone who takes it back revokes the authorizations that are there, and may have looked too early.
 */
export async function issueCode(ctx: Context, client: Client, asked: AuthorizationRequest, signedIn: SignedIn): Promise<string> {
  const authorization = await createAuthorization(ctx, client, asked, signedIn);
  const code = randomSecret(ctx);
  const row = {
    authorization: authorization.id,
    redirectUri: asked.replyTo.redirectUri,
    codeChallenge: asked.codeChallenge,
    nonce: asked.nonce,
    jkt: asked.dpopJkt,
  };
  const [, holds] = await Promise.all([
    ctx.records.codes.put(code, row, after(ctx, ctx.settings.lifetimes.code)),
    consentHolds(ctx, signedIn.user, client, asked),
  ]);
  if (!holds) {
    await revokeAuthorization(ctx, authorization, "its user took the consent back meanwhile");
    throw new OAuthError("access_denied", "The user took this access back meanwhile.");
  }
  ctx.emit({ type: "code.issued", authorization: authorization.id, client: client.id, user: signedIn.user.name, scope: asked.scope });
  return code;
}
