import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { ruleSet } from "../../protocol/rule.ts";
import type { AllowedRequest } from "../active_features.ts";
import type { Context } from "../context.ts";
import { newCredential } from "../random.ts";
import type { Authorization, Code } from "../records/rows.ts";
import type { TableCall } from "../records/store_calls.ts";
import { fromNow } from "../time.ts";
import { sessionOf } from "./active_authorization.ts";
import { makeAuthorization, revokeAuthorization, storeAuthorization } from "./authorizations.ts";
import { consentCheck, withdrawConsent } from "./consents.ts";
import { withdrawalCheck } from "./withdrawals.ts";

const about = { see: "OAuth 2.1, section 4.1.2.1", error: "access_denied" } as const;

export const consentRules = ruleSet("consent", about, {
  not_withdrawn: {
    title: "The user must not have withdrawn the consent in the meantime",
    message: "The user has withdrawn this access.",
    fix: "Handle the denial: continue without access, and let the user try again.",
    holds: ({ isValid }: { isValid: boolean }) => isValid,
  },
});

/** A request that a user has allowed, in this request or before. */
export interface ConsentedRequest<Request extends PendingRequest = PendingRequest>
  extends AllowedRequest {
  pending: Request;
}

/**
 * Stores the authorization of a request with further rows, and then checks the consent again, in
 * the same round trip. A concurrent withdrawal revokes only the authorizations that it finds, and
 * may have looked too early.
 */
export async function storeConsented(
  ctx: Context,
  { client, pending, signedIn: { user }, given }: ConsentedRequest,
  authorization: Authorization,
  ...rows: readonly TableCall<unknown>[]
): Promise<void> {
  const check = given
    ? withdrawalCheck(ctx, user, client, given)
    : consentCheck(ctx, user, client, pending);
  const isValid = await storeAuthorization(ctx, client, authorization, { rows, last: check });
  if (!isValid) {
    await revokeAuthorization(ctx, authorization, "its user withdrew the consent in the meantime");
    if (given) await withdrawConsent(ctx, user.subject, client.id);
  }
  ctx.apply(consentRules.not_withdrawn, { isValid });
}

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
