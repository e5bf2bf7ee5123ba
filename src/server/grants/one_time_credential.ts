import {
  type ActiveAuthorization,
  findActiveAuthorization,
} from "../issuer/authorizations/active_authorization.ts";
import {
  createPresumedAuthorization,
  revokeAuthorization,
} from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import type { Authorization, IssuedRow } from "../issuer/records/rows.ts";
import type { Table } from "../issuer/records/table.ts";
import type { UnknownCredential } from "../issuer/server_hooks.ts";
import { lastTokenExpiration } from "../issuer/time.ts";
import { findUser } from "../issuer/users/users.ts";
import type { Client } from "../model/client.ts";
import { mayUse, type User } from "../model/user.ts";
import { readAccessRights, type RequestedAccess } from "../protocol/access_request.ts";
import { type CredentialRules, nameOfCredential } from "../protocol/credential_rules.ts";
import { requirePresent } from "../protocol/rule.ts";
import type { Row } from "../store/store.ts";
import type { CredentialUse } from "./grant.ts";

/** What a request presents as a credential that a client may use once. */
interface PresentedSecret<T> {
  rules: CredentialRules;
  table: Table<T>;
  secret: string | undefined;
}

/** A credential that a client may use once. */
export interface OneTimeCredential<T> extends PresentedSecret<T> {
  secret: string;
  value: T;
  used: boolean;
  authorization: Authorization;
  /** The user of the authorization, as it was found with it. */
  user: User;
}

/**
 * Finds a credential, used or not. It must be known and not expired, its authorization active, and
 * its client this one.
 */
export async function requireCredential<T extends IssuedRow>(
  ctx: Context,
  client: Client,
  presented: PresentedSecret<T>,
): Promise<OneTimeCredential<T>> {
  const { rules, table } = presented;
  const secret = requirePresent(ctx.apply, rules.present, presented.secret);
  const { value, usedAt } = requireRow(ctx, rules, await findStoredRow(ctx, table, secret));
  const { authorization, user } = await requireActiveAuthorization(ctx, client, rules, value);
  return { rules, table, secret, value, used: usedAt !== undefined, authorization, user };
}

/** Returns the row of a credential, used or not, which must not have expired. */
export function requireRow<T>(
  ctx: Context,
  rules: CredentialRules,
  found: Row<T> | undefined,
): Row<T> {
  const row = requirePresent(ctx.apply, rules.known, found);
  ctx.apply(rules.fresh, { expiresAt: row.expiresAt, now: ctx.now() });
  return row;
}

/** Finds the row of a credential, even if it expired, and notes what it concerns. */
export async function findStoredRow<T extends IssuedRow>(
  ctx: Context,
  table: Table<T>,
  secret: string,
): Promise<Row<T> | undefined> {
  const row = await table.getStored(secret);
  if (row) ctx.note({ authorization: row.value.authorization });
  return row;
}

/** Finds the authorization of a credential, which must be active and belong to this client. */
export async function requireActiveAuthorization(
  ctx: Context,
  client: Client,
  rules: CredentialRules,
  issued: IssuedRow,
): Promise<ActiveAuthorization> {
  const found = await findActiveAuthorization(ctx, issued, client);
  const active = requirePresent(ctx.apply, rules.active, found);
  ctx.apply(rules.client, { received: client.id, expected: active.client.id });
  return active;
}

/**
 * Returns how a credential is consumed, once everything else is checked. A second use proves that
 * two parties have the secret, so everything issued from it is revoked, including what the winner
 * of a race writes a moment later (OAuth 2.1, sections 4.3.1 and 7.5.2).
 */
export function useOnce<T>(
  ctx: Context,
  { rules, table, secret, authorization }: OneTimeCredential<T>,
  isRepeat?: () => Promise<boolean>,
): CredentialUse {
  return {
    mark: table.calls.consume(secret, lastTokenExpiration(ctx, authorization)),
    async check(isFirst) {
      if (!isFirst) {
        // It may have expired a moment ago.
        requireRow(ctx, rules, await table.getStored(secret));
        if (await isRepeat?.()) return;
        const reason = `its ${nameOfCredential(rules.unused)} was used twice`;
        await revokeAuthorization(ctx, authorization, reason);
      }
      ctx.apply(rules.unused, { isFirst });
    },
  };
}

/**
 * Finds the user whom an unknown credential stands for, if what wraps the server vouches for it. No
 * server accepts an unknown credential by itself.
 */
export async function findPresumedParties(
  ctx: Context,
  client: Client,
  credential: UnknownCredential,
): Promise<{ user: User; client: Client } | undefined> {
  const presumed = await ctx.hooks.admits?.grant?.(client, credential);
  const user = presumed && await findUser(ctx, presumed.userName);
  if (!user || !mayUse(user, client)) return undefined;
  const defaultScope = client.scopes.filter((token) => presumed.scopes.includes(token));
  const scopes = client.scopes.filter((token) =>
    defaultScope.includes(token) || ctx.hooks.admits?.scope?.(token)
  );
  return { user, client: { ...client, scopes, defaultScope } };
}

/**
 * Authorizes a client by a code or refresh token without a row, if what wraps the server vouches
 * for it. One that has a row is never asked about: its own state decides.
 */
export async function authorizeByUnknown<T extends IssuedRow>(
  ctx: Context,
  client: Client,
  { kind, table, secret: value, requested }: PresentedSecret<T> & {
    kind: "code" | "refresh_token";
    requested: RequestedAccess;
  },
): Promise<Authorization | undefined> {
  if (!value || await findStoredRow(ctx, table, value)) return undefined;
  const parties = await findPresumedParties(ctx, client, { kind, value });
  if (!parties) return undefined;
  // As with a known one, the whole scope is authorized, and the request can only narrow it.
  const all = { ...requested, scope: undefined };
  const access = readAccessRights(ctx.apply, all, parties.client, ctx.settings);
  return await createPresumedAuthorization(ctx, client, parties.user, access);
}
