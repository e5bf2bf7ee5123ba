import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { Context } from "../context.ts";
import { newCredential } from "../random.ts";
import type { Code } from "../records/rows.ts";
import { fromNow } from "../time.ts";
import { sessionOf } from "./active_authorization.ts";
import { makeAuthorization } from "./authorizations.ts";
import { type ConsentedRequest, storeConsented } from "./consented_request.ts";

/** Issues a code for what a user has allowed (OAuth 2.1, section 4.1.2). */
export async function issueCode(
  ctx: Context,
  allowed: ConsentedRequest<AuthorizationRequest>,
): Promise<string> {
  const { client, pending: authorizationRequest, signedIn } = allowed;
  const authorization = await makeAuthorization(ctx, client, authorizationRequest, signedIn);
  const code = await newCredential(ctx, "code", client.id);
  const row: Code = {
    authorization: authorization.id,
    sid: sessionOf(authorization),
    redirectUri: authorizationRequest.responseTarget.redirectUri,
    codeChallenge: authorizationRequest.codeChallenge,
    nonce: authorizationRequest.nonce,
    jkt: authorizationRequest.dpopJkt,
  };
  const expiresAt = fromNow(ctx, ctx.settings.lifetimes.code);
  await storeConsented(
    ctx,
    allowed,
    authorization,
    ctx.records.codes.calls.put(code, row, expiresAt),
  );
  ctx.emit({
    type: "code.issued",
    authorization: authorization.id,
    client: client.id,
    user: signedIn.user.name,
    scope: authorizationRequest.scope,
  });
  return code;
}
