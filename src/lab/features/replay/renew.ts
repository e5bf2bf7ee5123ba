import { findActiveAuthorization } from "../../../server/issuer/authorizations/active_authorization.ts";
import { storeAuthorization } from "../../../server/issuer/authorizations/authorizations.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId, randomSecret } from "../../../server/issuer/random.ts";
import type { IssuedRow } from "../../../server/issuer/records/rows.ts";
import type { Table } from "../../../server/issuer/records/table.ts";
import { fromNow } from "../../../server/issuer/time.ts";
import type { Row } from "../../../server/store/store.ts";

/** A credential that a token request presents, and that works once. */
export interface SpendableCredential {
  /** Its parameter. */
  name: string;
  /** What a sentence calls it. */
  what: string;
  /** Issues another one for the same, if this one is spent. */
  renew(ctx: Context, spent: string): Promise<Renewal | undefined>;
}

/** A fresh credential, or why there is none. */
export type Renewal = { secret: string } | { why: string };

export const unknownCredential: Renewal = { why: "the lab does not know it" };

/** Whether a credential was used, or has expired. */
export function isSpent({ now }: Context, { usedAt, expiresAt }: Row): boolean {
  return usedAt !== undefined || expiresAt <= now();
}

/**
 * Issues another credential of a table, if one is spent: for the same client, user, scope,
 * resources, nonce, PKCE and key.
 */
export async function renewRow<T extends IssuedRow>(
  ctx: Context,
  table: Table<T>,
  lifetime: number,
  spent: string,
): Promise<Renewal | undefined> {
  const row = await table.getStored(spent);
  if (!row) return unknownCredential;
  if (!isSpent(ctx, row)) return undefined;
  const copied = await copyAuthorization(ctx, row.value);
  if ("why" in copied) return copied;
  const secret = randomSecret(ctx);
  await table.add(secret, { ...row.value, authorization: copied.id }, fromNow(ctx, lifetime));
  return { secret };
}

/**
 * Stores the authorization of a credential once more, under a new id: using a fresh credential then
 * cannot revoke what the first one issued.
 */
export async function copyAuthorization(
  ctx: Context,
  issued: IssuedRow,
): Promise<{ id: string } | { why: string }> {
  const stored = await ctx.records.authorizations.getStored(issued.authorization);
  if (!stored) return { why: "what it was issued from was revoked" };
  if (stored.expiresAt <= ctx.now()) return { why: "what it was issued from has expired" };
  const active = await findActiveAuthorization(ctx, issued);
  if (!active) return { why: "its client, its user or the session of that user is gone" };
  const id = randomId(ctx);
  const issuingUntil = fromNow(ctx, ctx.settings.lifetimes.refreshToken);
  await storeAuthorization(ctx, active.client, { ...active.authorization, id, issuingUntil });
  return { id };
}
