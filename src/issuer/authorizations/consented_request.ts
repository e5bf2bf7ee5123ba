import type { Client } from "../../model/client.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import type { Context } from "../context.ts";
import type { Authorization } from "../records/rows.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { revokeAuthorization } from "./authorizations.ts";
import { isConsentStillValid, withdrawConsent } from "./consents.ts";
import { type GivenConsent, isWithdrawn } from "./withdrawals.ts";

const accessDenied = errorFactory("access_denied");

/** A request that a user has allowed, in this request or before. */
export interface ConsentedRequest<Request extends PendingRequest = PendingRequest> {
  client: Client;
  pending: Request;
  signedIn: SignedInUser;
  /** The consent, if the user gives it in this request. */
  given?: GivenConsent | undefined;
}

/**
 * Checks the consent again once its authorization is stored. A concurrent withdrawal revokes only the
 * authorizations that it finds, and may have looked too early.
 */
export async function checkNotWithdrawn(
  ctx: Context,
  { client, pending, signedIn: { user }, given }: ConsentedRequest,
  authorization: Authorization,
): Promise<void> {
  const isValid = given
    ? !await isWithdrawn(ctx, user, client, given)
    : await isConsentStillValid(ctx, user, client, pending);
  if (isValid) return;
  await revokeAuthorization(ctx, authorization, "its user withdrew the consent in the meantime");
  if (given) await withdrawConsent(ctx, user.subject, client.id);
  throw accessDenied("The user has withdrawn this access.");
}
