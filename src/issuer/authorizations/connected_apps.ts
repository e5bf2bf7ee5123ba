import type { AccessRights } from "../../model/access_rights.ts";
import type { User } from "../../model/user.ts";
import { claimsBeyondScope } from "../../protocol/claim_rules.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import type { Consent } from "../records/rows.ts";
import { idPrefix } from "../records/table.ts";
import { findActiveAuthorization } from "./active_authorization.ts";
import { authorizationIdOf, revokeAuthorization } from "./authorizations.ts";
import { consentParties, withdrawConsent } from "./consents.ts";
import { markWithdrawal } from "./withdrawals.ts";

/** A client to which a user has given lasting access. */
export interface ConnectedApp {
  clientId: string;
  access: AccessRights;
  /** The claims that it may see beyond those of its scope. */
  claims: string[];
  /** When the user first and last allowed it something, in milliseconds. */
  since: number;
  latest: number;
}

/** Lists the clients that have a remembered consent of a user, or an active authorization. */
export async function listConnectedApps(ctx: Context, user: User): Promise<ConnectedApp[]> {
  const apps = new Map<string, ConnectedApp>();
  const withConsent = await appsWithConsent(ctx, user);
  const withAuthorization = await appsWithAuthorization(ctx, user.subject);
  for (const app of [...withConsent, ...withAuthorization]) {
    const sameApp = apps.get(app.clientId);
    apps.set(app.clientId, sameApp ? mergeApps(sameApp, app) : app);
  }
  return [...apps.values()];
}

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
  for (const [rowId] of await userAuthorizations.list(idPrefix(subject, clientId))) {
    const authorization = await authorizations.find(authorizationIdOf(rowId));
    if (authorization) await revokeAuthorization(ctx, authorization, reason);
  }
}

async function appsWithConsent(ctx: Context, { subject, instance }: User): Promise<ConnectedApp[]> {
  const rows = await ctx.records.consents.list(idPrefix(subject));
  const apps = await Promise.all(rows.map(async ([rowId, consent]) => {
    const { clientId } = consentParties(rowId);
    const client = await findClient(ctx, clientId);
    // Both names may have been reassigned. Consent to a client that is gone can still be withdrawn.
    const isTheirs = consent.userInstance === instance &&
      (!client || consent.clientInstance === client.instance);
    return isTheirs ? [appOfConsent(clientId, consent)] : [];
  }));
  return apps.flat().sort((one, other) => one.since - other.since);
}

function appOfConsent(clientId: string, { scopeAt, claims = [], since }: Consent): ConnectedApp {
  const access = {
    scope: [...new Set(Object.values(scopeAt).flat())],
    resources: Object.keys(scopeAt).filter((resource) => resource !== ""),
  };
  return { clientId, access, claims, since, latest: since };
}

async function appsWithAuthorization(ctx: Context, subject: string): Promise<ConnectedApp[]> {
  const rows = await ctx.records.userAuthorizations.list(idPrefix(subject));
  const apps = await Promise.all(rows.map(async ([rowId, { since }]) => {
    const active = await findActiveAuthorization(ctx, authorizationIdOf(rowId));
    if (!active) return [];
    const { authorization: access } = active;
    const claims = claimsBeyondScope(
      access.scope,
      access.claims,
      ctx.settings,
      active.client,
    );
    return [{ clientId: access.clientId, access, claims, since, latest: since }];
  }));
  return apps.flat();
}

function mergeApps(one: ConnectedApp, other: ConnectedApp): ConnectedApp {
  return {
    clientId: one.clientId,
    access: mergeAccessRights(one.access, other.access),
    claims: union(one.claims, other.claims),
    since: Math.min(one.since, other.since),
    latest: Math.max(one.latest, other.latest),
  };
}

function mergeAccessRights(one: AccessRights, other: AccessRights): AccessRights {
  return {
    scope: union(one.scope, other.scope),
    resources: union(one.resources, other.resources),
    authorizationDetails: [...one.authorizationDetails ?? [], ...other.authorizationDetails ?? []],
  };
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
