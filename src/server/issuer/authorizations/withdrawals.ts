import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { joinId } from "../records/row_id.ts";
import { fromNow } from "../time.ts";
import type { GivenConsent } from "./given_consent.ts";

/** Remembers the state before a consent is handled, for `isWithdrawn`. */
export async function beginConsent(
  ctx: Context,
  user: User,
  client: Client,
): Promise<GivenConsent> {
  return { lastWithdrawal: await findMark(ctx, user, client) };
}

/** Whether the user has withdrawn access from the client since a consent began. */
export async function isWithdrawn(
  ctx: Context,
  user: User,
  client: Client,
  { lastWithdrawal }: GivenConsent,
): Promise<boolean> {
  const mark = await findMark(ctx, user, client);
  return mark !== undefined && mark !== lastWithdrawal;
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

async function findMark(
  ctx: Context,
  { subject }: User,
  { id }: Client,
): Promise<string | undefined> {
  return await ctx.records.withdrawals.find(joinId(subject, id));
}
