import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { joinId } from "../records/row_id.ts";
import { mapCall, type TableCall } from "../records/table.ts";
import { fromNow } from "../time.ts";
import type { GivenConsent } from "./given_consent.ts";

/** Remembers the state before a consent is handled, for `withdrawalCheck`. */
export async function beginConsent(
  ctx: Context,
  user: User,
  client: Client,
): Promise<GivenConsent> {
  return { lastWithdrawal: await ctx.records.withdrawals.find(joinId(user.subject, client.id)) };
}

/** Returns the call that checks that the user has not withdrawn access since a consent began. */
export function withdrawalCheck(
  ctx: Context,
  user: User,
  client: Client,
  { lastWithdrawal }: GivenConsent,
): TableCall<boolean> {
  const mark = ctx.records.withdrawals.calls.get(joinId(user.subject, client.id));
  return mapCall(mark, (row) => row === undefined || row.value === lastWithdrawal);
}

/**
 * Marks that a user withdraws access from a client. Call it first: an authorization that is written
 * too late to be found and revoked finds the mark itself.
 */
export async function markWithdrawal(
  ctx: Context,
  subject: string,
  clientId: string,
): Promise<void> {
  const keepUntil = fromNow(ctx, ctx.settings.lifetimes.interaction);
  await ctx.records.withdrawals.put(joinId(subject, clientId), randomId(ctx), keepUntil);
}
