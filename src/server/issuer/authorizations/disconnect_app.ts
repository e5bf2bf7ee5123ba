import type { Context } from "../context.ts";
import { idPrefix } from "../records/row_id.ts";
import { authorizationIdOf, revokeAuthorization } from "./authorizations.ts";
import { withdrawConsent } from "./consents.ts";
import { markWithdrawal } from "./withdrawals.ts";

/**
 * Withdraws everything that a user has allowed a client. Its codes and tokens stop working at once,
 * and it has to ask again.
 */
export async function disconnectApp(
  ctx: Context,
  subject: string,
  clientId: string,
  reason: string,
): Promise<void> {
  const { authorizations, userAuthorizations } = ctx.records;
  await markWithdrawal(ctx, subject, clientId);
  await withdrawConsent(ctx, subject, clientId);
  // A consent page that was sent since then may have found a consent that is gone now.
  await markWithdrawal(ctx, subject, clientId);
  for (const [rowId] of await userAuthorizations.list(idPrefix(subject, clientId))) {
    const authorization = await authorizations.find(authorizationIdOf(rowId));
    if (authorization) await revokeAuthorization(ctx, authorization, reason);
  }
}
