import type { AccessRights } from "../../model/access_rights.ts";
import type { User } from "../../model/user.ts";
import { claimsBeyondScope } from "../../protocol/claims_request.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { joinedPrefix, partsOf } from "../records/joined_id.ts";
import type { Consent } from "../records/rows.ts";
import { findActiveAuthorization } from "./active_authorization.ts";
import { revokeAuthorization } from "./authorizations.ts";
import { withdrawConsent } from "./consents.ts";

/** A client to which a person has given something that lasts. */
export interface ConnectedApp {
  clientId: string;
  /** Everything that it was allowed. */
  access: AccessRights;
  /** The claims that it may see beyond those of its scope. */
  claims: string[];
  /** When the person allowed something first, and last; in milliseconds. */
  since: number;
  latest: number;
}

/** Whom a person has allowed what: what is remembered, and what tokens can come of now. */
export async function listConnectedApps(ctx: Context, user: User): Promise<ConnectedApp[]> {
  const apps = new Map<string, ConnectedApp>();
  for (
    const each of [
      ...await appsWithConsent(ctx, user),
      ...await appsWithAuthorization(ctx, user.subject),
    ]
  ) {
    const known = apps.get(each.clientId);
    apps.set(each.clientId, known ? mergeApps(known, each) : each);
  }
  return [...apps.values()];
}

/** Takes back all that a person has allowed a client: its codes and tokens are void at once, and next time it has to ask. */
export async function disconnectApp(
  ctx: Context,
  subject: string,
  clientId: string,
  reason: string,
): Promise<void> {
  await withdrawConsent(ctx, subject, clientId);
  for (
    const [place] of await ctx.records.userAuthorizations.list(joinedPrefix(subject, clientId))
  ) {
    const authorization = await ctx.records.authorizations.find(partsOf(place)[2]);
    if (authorization) await revokeAuthorization(ctx, authorization, reason);
  }
}

async function appsWithConsent(ctx: Context, { subject, instance }: User): Promise<ConnectedApp[]> {
  const rows = await ctx.records.consents.list(joinedPrefix(subject));
  const found = await Promise.all(rows.map(async ([id, consent]) => {
    const clientId = partsOf(id)[1];
    const client = await findClient(ctx, clientId);
    // Both names may have been given again. What was allowed to a client that is gone can still be taken back.
    const isTheirs = consent.userInstance === instance &&
      (!client || consent.clientInstance === client.instance);
    return isTheirs ? [describeConsent(clientId, consent)] : [];
  }));
  return found.flat().sort((one, other) => one.since - other.since);
}

function describeConsent(clientId: string, { scopeAt, claims = [], since }: Consent): ConnectedApp {
  const access = {
    scope: [...new Set(Object.values(scopeAt).flat())],
    resources: Object.keys(scopeAt).filter((place) => place !== ""),
  };
  return { clientId, access, claims, since, latest: since };
}

async function appsWithAuthorization(ctx: Context, subject: string): Promise<ConnectedApp[]> {
  const places = await ctx.records.userAuthorizations.list(joinedPrefix(subject));
  const found = await Promise.all(places.map(async ([place, { since }]) => {
    const access = (await findActiveAuthorization(ctx, partsOf(place)[2]))?.authorization;
    return access
      ? [{
        clientId: access.clientId,
        access,
        claims: claimsBeyondScope(access.scope, access.claims),
        since,
        latest: since,
      }]
      : [];
  }));
  return found.flat();
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
