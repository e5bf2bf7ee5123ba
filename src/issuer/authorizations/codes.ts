import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { Client } from "../../protocol/client.ts";
import { createAuthorization } from "./authorizations.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { SignedIn } from "../sessions/sessions.ts";
import { after } from "../time.ts";

/** Gives out a code for what a person has just allowed (OAuth 2.1, section 4.1.2). */
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
  await ctx.records.codes.put(code, row, after(ctx, ctx.settings.lifetimes.code));
  ctx.emit({ type: "code.issued", authorization: authorization.id, client: client.id, user: signedIn.user.name, scope: asked.scope });
  return code;
}
