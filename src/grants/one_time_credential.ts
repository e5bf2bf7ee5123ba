import { findActiveAuthorization } from "../issuer/authorizations/active_authorization.ts";
import { childrenEnd, revokeAuthorization } from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import type { Table } from "../issuer/records/table.ts";
import type { Client } from "../model/client.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";

const invalidGrant = errorFactory("invalid_grant", "RFC 9449, section 10");

/** A code or a refresh token that a client may use once. */
export interface OneTimeCredential<T> {
  table: Table<T>;
  secret: string;
  value: T;
  used: boolean;
  authorization: Authorization;
  /** What to call it: "code" or "refresh token". */
  name: string;
}

/** Finds what a client wants to spend, if it is this client's and its authorization stands. */
export async function findCredential<T extends { authorization: string }>(
  ctx: Context,
  client: Client,
  { table, secret, name }: Pick<OneTimeCredential<T>, "table" | "secret" | "name">,
): Promise<OneTimeCredential<T>> {
  const row = await table.get(secret);
  if (!row) throw invalidCredential(name, "It is unknown, or it has expired.");
  const { value, usedAt } = row;
  const authorization = await activeAuthorizationFor(ctx, client, value.authorization, name);
  return { table, secret, value, used: usedAt !== undefined, authorization, name };
}

/** The authorization behind it, if it stands and is this client's. */
export async function activeAuthorizationFor(
  ctx: Context,
  client: Client,
  authorization: string,
  name: string,
): Promise<Authorization> {
  const active = await findActiveAuthorization(ctx, authorization);
  if (!active) {
    throw invalidCredential(
      name,
      "What it came from was revoked, or its user signed out or is gone.",
    );
  }
  if (active.client.id !== client.id) {
    throw invalidCredential(name, `It belongs to the client '${active.client.id}'.`);
  }
  return active.authorization;
}

/** What is bound to a key is of use with that key alone (RFC 9449, sections 5 and 10). */
export function checkKey(
  { value, name }: OneTimeCredential<{ jkt?: string }>,
  jkt: string | undefined,
): void {
  if (value.jkt === undefined || value.jkt === jkt) return;
  const found = jkt === undefined
    ? "no DPoP proof came"
    : "the DPoP proof was made with another one";
  throw invalidGrant(`The ${name} is bound to a key, and ${found}.`);
}

/**
 * Spends it. Everything else about the request is in order by now, and the answer is ready.
 * Whoever comes second proves that the secret is in two hands, so all that came of it is revoked,
 * what the winner writes a moment later included (OAuth 2.1, sections 4.3.1 and 7.5.2).
 */
export async function consumeCredential<T>(
  ctx: Context,
  { table, secret, authorization, name }: OneTimeCredential<T>,
  isRepeat = never,
): Promise<void> {
  if (await table.consume(secret, childrenEnd(ctx, authorization))) return;
  if (!await table.get(secret)) throw invalidCredential(name, "It has expired.");
  if (await isRepeat()) return;
  await revokeAuthorization(ctx, authorization, `its ${name} was used twice`);
  throw invalidGrant(
    `This ${name} has been used before; everything that was issued from it is revoked now.`,
    {
      see: "OAuth 2.1, section 7.5.2",
    },
  );
}

/** One answer for all that is wrong with it: none of it is anybody else's business. */
export function invalidCredential(name: string, hint: string): OAuthError {
  return invalidGrant(`The ${name} is unknown, expired, revoked, or another client's.`, {
    see: "OAuth 2.1, section 3.2.4",
    hint,
  });
}

const never = () => Promise.resolve(false);
