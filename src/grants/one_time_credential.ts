import { findActiveAuthorization } from "../issuer/authorizations/active_authorization.ts";
import { revokeAuthorization } from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import type { Table } from "../issuer/records/table.ts";
import { lastTokenExpiration } from "../issuer/time.ts";
import type { Client } from "../model/client.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";

const invalidGrant = errorFactory("invalid_grant", "RFC 9449, section 10");

const never = () => Promise.resolve(false);

/** A presented secret, and the table that may contain it. */
export interface PresentedCredential<T> {
  table: Table<T>;
  secret: string;
  /** What errors call it: "code" or "refresh token". */
  name: string;
}

/** A credential that a client may use once. */
export interface OneTimeCredential<T> extends PresentedCredential<T> {
  value: T;
  used: boolean;
  authorization: Authorization;
}

/** Finds a credential, which must belong to this client and to an active authorization. */
export async function requireCredential<T extends { authorization: string }>(
  ctx: Context,
  client: Client,
  presented: PresentedCredential<T>,
): Promise<OneTimeCredential<T>> {
  const { table, secret, name } = presented;
  const row = await table.get(secret);
  if (!row) throw invalidCredential(name, "It is unknown, or it has expired.");
  const { value, usedAt } = row;
  const authorization = await requireActiveAuthorization(ctx, client, value.authorization, name);
  return { ...presented, value, used: usedAt !== undefined, authorization };
}

/** Finds the authorization of a credential, which must be active and belong to this client. */
export async function requireActiveAuthorization(
  ctx: Context,
  client: Client,
  authorizationId: string,
  name: string,
): Promise<Authorization> {
  const active = await findActiveAuthorization(ctx, authorizationId);
  if (!active) {
    throw invalidCredential(
      name,
      "Its authorization was revoked, or its user signed out or does not exist anymore.",
    );
  }
  if (active.client.id !== client.id) {
    throw invalidCredential(name, `It belongs to the client '${active.client.id}'.`);
  }
  return active.authorization;
}

/** Checks that a bound credential comes with a proof of its key (RFC 9449, sections 5 and 10). */
export function checkKeyBinding(
  { value, name }: OneTimeCredential<{ jkt?: string | undefined }>,
  jkt: string | undefined,
): void {
  if (value.jkt === undefined || value.jkt === jkt) return;
  const problem = jkt === undefined
    ? "the request has no DPoP proof"
    : "the DPoP proof was made with a different key";
  throw invalidGrant(`The ${name} is bound to a key, and ${problem}.`);
}

/**
 * Consumes a credential. Everything else is checked by now, and the response is ready. A second use
 * proves that two parties have the secret, so everything issued from it is revoked, including what
 * the winner of a race writes a moment later (OAuth 2.1, sections 4.3.1 and 7.5.2).
 */
export async function consumeCredential<T>(
  ctx: Context,
  { table, secret, authorization, name }: OneTimeCredential<T>,
  isRepeat: () => Promise<boolean> = never,
): Promise<void> {
  if (await table.consume(secret, lastTokenExpiration(ctx, authorization))) return;
  if (!await table.get(secret)) throw invalidCredential(name, "It has expired.");
  if (await isRepeat()) return;
  await revokeAuthorization(ctx, authorization, `its ${name} was used twice`);
  throw invalidGrant(
    `The ${name} was used before. Everything that was issued from it is now revoked.`,
    { see: "OAuth 2.1, section 7.5.2" },
  );
}

/** Makes the same error for every invalid credential. It reveals nothing about other clients. */
export function invalidCredential(name: string, hint: string): OAuthError {
  return invalidGrant(`The ${name} is unknown, expired, revoked, or another client's.`, {
    see: "OAuth 2.1, section 3.2.4",
    hint,
  });
}
