import type { Access } from "../../protocol/access.ts";
import { claimsBeyond } from "../../protocol/claims_request.ts";
import { revokeAuthorization } from "./authorizations.ts";
import type { Context } from "../context.ts";
import { joinedId, joinedPrefix, partsOf } from "../records/joined_id.ts";
import { findStanding } from "./standing.ts";

/** A client to which a person has given something that lasts. */
export interface ConnectedApp {
  clientId: string;
  /** Everything that it was allowed. */
  access: Access;
  /** The claims that it may see beyond those of its scope. */
  claims: string[];
  /** When the person allowed something first, and last; in milliseconds. */
  since: number;
  latest: number;
}

/** Whom a person, known by their own subject, has allowed what: what is remembered, and what tokens can come of now. */
export async function listConnectedApps(ctx: Context, subject: string): Promise<ConnectedApp[]> {
  const apps = new Map<string, ConnectedApp>();
  for (const each of [...await rememberedOnes(ctx, subject), ...await standingOnes(ctx, subject)]) {
    const known = apps.get(each.clientId);
    apps.set(each.clientId, known ? joined(known, each) : each);
  }
  return [...apps.values()];
}

/** Takes back all that a person has allowed a client: its codes and tokens are void at once, and next time it has to ask. */
export async function disconnectApp(ctx: Context, subject: string, clientId: string, reason: string): Promise<void> {
  const id = joinedId(subject, clientId);
  if (await ctx.records.consents.find(id)) {
    await ctx.records.consents.delete(id);
    ctx.emit({ type: "consent.withdrawn", subject, client: clientId });
  }
  for (const [place] of await ctx.records.userAuthorizations.list(joinedPrefix(subject, clientId))) {
    const authorization = await ctx.records.authorizations.find(partsOf(place)[2]);
    if (authorization) await revokeAuthorization(ctx, authorization, reason);
  }
}

async function rememberedOnes(ctx: Context, subject: string): Promise<ConnectedApp[]> {
  const consents = await ctx.records.consents.list(joinedPrefix(subject));
  return consents.map(([id, { scopeAt, claims = [], since }]) => {
    const access = { scope: [...new Set(Object.values(scopeAt).flat())], resources: Object.keys(scopeAt).filter((place) => place !== "") };
    return { clientId: partsOf(id)[1], access, claims, since, latest: since };
  });
}

async function standingOnes(ctx: Context, subject: string): Promise<ConnectedApp[]> {
  const places = await ctx.records.userAuthorizations.list(joinedPrefix(subject));
  const found = await Promise.all(places.map(async ([place, { since }]) => {
    const access = (await findStanding(ctx, partsOf(place)[2]))?.authorization;
    return access ? [{ clientId: access.clientId, access, claims: claimsBeyond(access.scope, access.claims), since, latest: since }] : [];
  }));
  return found.flat();
}

function joined(one: ConnectedApp, other: ConnectedApp): ConnectedApp {
  return {
    clientId: one.clientId,
    access: joinedAccess(one.access, other.access),
    claims: union(one.claims, other.claims),
    since: Math.min(one.since, other.since),
    latest: Math.max(one.latest, other.latest),
  };
}

function joinedAccess(one: Access, other: Access): Access {
  return {
    scope: union(one.scope, other.scope),
    resources: union(one.resources, other.resources),
    authorizationDetails: [...one.authorizationDetails ?? [], ...other.authorizationDetails ?? []],
  };
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
