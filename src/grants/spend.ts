import type { Client } from "../protocol/client.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { childrenEnd, revokeAuthorization } from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import { findStanding } from "../issuer/authorizations/standing.ts";
import type { Table } from "../issuer/records/table.ts";

/** A code or a refresh token that a client may use once. */
export interface Spendable<T> {
  table: Table<T>;
  secret: string;
  value: T;
  used: boolean;
  authorization: Authorization;
  /** What to call it: "code" or "refresh token". */
  what: string;
}

/** Finds what a client wants to spend, if it is this client's and its authorization stands. */
export async function findSpendable<T extends { authorization: string }>(
  ctx: Context,
  client: Client,
  { table, secret, what }: Pick<Spendable<T>, "table" | "secret" | "what">,
): Promise<Spendable<T>> {
  const row = await table.get(secret);
  if (!row) throw refuseSpendable(what, "It is unknown, or it has expired.");
  const { value, usedAt } = row;
  const authorization = await standingFor(ctx, client, value.authorization, what);
  return { table, secret, value, used: usedAt !== undefined, authorization, what };
}

/** The authorization behind it, if it stands and is this client's. */
export async function standingFor(ctx: Context, client: Client, authorization: string, what: string): Promise<Authorization> {
  const standing = await findStanding(ctx, authorization);
  if (!standing) throw refuseSpendable(what, "What it came from was revoked, or its user signed out or is gone.");
  if (standing.client.id !== client.id) throw refuseSpendable(what, `It belongs to the client '${standing.client.id}'.`);
  return standing.authorization;
}

/** What is bound to a key is of use with that key alone (RFC 9449, sections 5 and 10). */
export function checkKey({ value, what }: Spendable<{ jkt?: string }>, jkt: string | undefined): void {
  if (value.jkt === undefined || value.jkt === jkt) return;
  const found = jkt === undefined ? "no DPoP proof came" : "the DPoP proof was made with another one";
  throw new OAuthError("invalid_grant", `The ${what} is bound to a key, and ${found}.`, { see: "RFC 9449, section 10" });
}

/**
 * Spends it. Everything else about the request is in order by now, and the answer is ready.
 * Whoever comes second proves that the secret is in two hands, so all that came of it is revoked,
 * what the winner writes a moment later included (OAuth 2.1, sections 4.3.1 and 7.5.2).
 */
export async function spend<T>(ctx: Context, { table, secret, authorization, what }: Spendable<T>, isRepeat = never): Promise<void> {
  if (await table.consume(secret, childrenEnd(ctx, authorization))) return;
  if (!await table.get(secret)) throw refuseSpendable(what, "It has expired.");
  if (await isRepeat()) return;
  await revokeAuthorization(ctx, authorization, `its ${what} was used twice`);
  throw new OAuthError("invalid_grant", `This ${what} has been used before; everything that was issued from it is revoked now.`, {
    see: "OAuth 2.1, section 7.5.2",
  });
}

/** One answer for all that is wrong with it: none of it is anybody else's business. */
export function refuseSpendable(what: string, hint: string): OAuthError {
  return new OAuthError("invalid_grant", `The ${what} is unknown, expired, revoked, or another client's.`, {
    see: "OAuth 2.1, section 3.2.4",
    hint,
  });
}

const never = () => Promise.resolve(false);
