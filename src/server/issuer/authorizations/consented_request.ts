import type { Client } from "../../model/client.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { ruleSet } from "../../protocol/rule_set.ts";
import type { Context } from "../context.ts";
import type { Authorization } from "../records/rows.ts";
import type { SignedInUser } from "../sessions/signed_in_user.ts";
import { revokeAuthorization } from "./authorizations.ts";
import { isConsentStillValid, withdrawConsent } from "./consents.ts";
import type { GivenConsent } from "./given_consent.ts";
import { isWithdrawn } from "./withdrawals.ts";

const about = { see: "OAuth 2.1, section 4.1.2.1", error: "access_denied" } as const;

export const consentRules = ruleSet("consent", about, {
  not_withdrawn: {
    must: "The user must not have withdrawn the consent in the meantime",
    message: "The user has withdrawn this access.",
    fix: "Handle the denial: continue without access, and let the user try again.",
    holds: ({ isValid }: { isValid: boolean }) => isValid,
  },
});

/** A request that a user has allowed, in this request or before. */
export interface ConsentedRequest<Request extends PendingRequest = PendingRequest> {
  client: Client;
  pending: Request;
  signedIn: SignedInUser;
  /** The consent, if the user gives it in this request. */
  given?: GivenConsent | undefined;
}

/**
 * Checks the consent again once its authorization is stored. A concurrent withdrawal revokes only
 * the authorizations that it finds, and may have looked too early.
 */
export async function checkNotWithdrawn(
  ctx: Context,
  { client, pending, signedIn: { user }, given }: ConsentedRequest,
  authorization: Authorization,
): Promise<void> {
  const isValid = given
    ? !await isWithdrawn(ctx, user, client, given)
    : await isConsentStillValid(ctx, user, client, pending);
  if (!isValid) {
    await revokeAuthorization(ctx, authorization, "its user withdrew the consent in the meantime");
    if (given) await withdrawConsent(ctx, user.subject, client.id);
  }
  ctx.apply(consentRules.not_withdrawn, { isValid });
}
