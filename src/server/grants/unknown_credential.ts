import { createPresumedAuthorization } from "../issuer/authorizations/authorizations.ts";
import type { Context } from "../issuer/context.ts";
import type { Authorization, Code, RefreshToken } from "../issuer/records/rows.ts";
import type { Table } from "../issuer/records/table.ts";
import type { UnknownCredential } from "../issuer/server_hooks.ts";
import { findUser } from "../issuer/users/users.ts";
import type { Client } from "../model/client.ts";
import type { User } from "../model/user.ts";
import { readAccessRights, type RequestedAccess } from "../protocol/access_request.ts";
import { findStoredRow } from "./one_time_credential.ts";

/** A user, and the client as it may act for them. */
export interface PresumedParties {
  user: User;
  /** The client with no more scopes than those that are vouched for. */
  client: Client;
}

/**
 * Finds the user whom an unknown credential stands for, if what wraps the server vouches for it. No
 * server accepts an unknown credential by itself.
 */
export async function findPresumedParties(
  ctx: Context,
  client: Client,
  credential: UnknownCredential,
): Promise<PresumedParties | undefined> {
  const presumed = await ctx.hooks.presumeGrant?.(client, credential);
  const user = presumed && await findUser(ctx, presumed.userName);
  if (!user) return undefined;
  const defaultScope = client.scopes.filter((token) => presumed.scopes.includes(token));
  const scopes = client.scopes.filter((token) =>
    defaultScope.includes(token) || ctx.hooks.addsScope?.(token)
  );
  return { user, client: { ...client, scopes, defaultScope } };
}

/** A credential that should have a row, the table of that row, and what its request asks for. */
interface PresentedUnknown {
  kind: "code" | "refresh_token";
  table: Table<Code> | Table<RefreshToken>;
  value: string | undefined;
  requested: RequestedAccess;
}

/**
 * Authorizes a client by a code or refresh token without a row, if what wraps the server vouches
 * for it. One that has a row is never asked about: its own state decides.
 */
export async function authorizeByUnknown(
  ctx: Context,
  client: Client,
  { kind, table, value, requested }: PresentedUnknown,
): Promise<Authorization | undefined> {
  if (!value) return undefined;
  if (await findStoredRow<Code | RefreshToken>(ctx, table as Table<Code | RefreshToken>, value)) {
    return undefined;
  }
  const parties = await findPresumedParties(ctx, client, { kind, value });
  if (!parties) return undefined;
  // As with a known one, the whole scope is authorized, and the request can only narrow it.
  const all = { ...requested, scope: undefined };
  const access = readAccessRights(ctx.apply, all, parties.client, ctx.settings);
  return await createPresumedAuthorization(ctx, client, parties.user, access);
}
