import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { claimsBeyondScope } from "../../protocol/claims_request.ts";
import { mayRememberConsent } from "../../protocol/client_trust.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { joinedId, joinedPrefix, partsOf } from "../records/joined_id.ts";
import type { Consent } from "../records/rows.ts";
import { forever } from "../records/table.ts";

/** What consent is given to: a scope, at resources, and claims beside it. */
type ConsentedAccess = Pick<
  AuthorizationRequest,
  "scope" | "resources" | "claims" | "authorizationDetails"
>;

/** Whether a person has already allowed a client all that it asks for, and need not be asked again. */
export async function hasConsented(
  ctx: Context,
  user: User,
  client: Client,
  asked: ConsentedAccess,
): Promise<boolean> {
  // What is asked for in detail, a payment perhaps, is meant once: it is asked again each time.
  if (!mayRememberConsent(client) || asked.authorizationDetails) return false;
  return isCovered(await findConsents(ctx, user, client), asked);
}

/** Whether what a person allowed still holds. Consent that is not remembered was given for this very request. */
export async function consentHolds(
  ctx: Context,
  user: User,
  client: Client,
  asked: ConsentedAccess,
): Promise<boolean> {
  return !mayRememberConsent(client) || isCovered(await findConsents(ctx, user, client), asked);
}

/** Remembers what a person has just allowed, unless all of it is remembered already. */
export async function rememberConsent(
  ctx: Context,
  user: User,
  client: Client,
  asked: ConsentedAccess,
): Promise<void> {
  if (!mayRememberConsent(client) || isCovered(await findConsents(ctx, user, client), asked)) {
    return;
  }
  const consent: Consent = {
    scopeAt: Object.fromEntries(placesOf(asked).map((place) => [place, asked.scope])),
    claims: claimsBeyondScope(asked.scope, asked.claims),
    since: ctx.now(),
    userInstance: user.instance,
    clientInstance: client.instance,
  };
  await ctx.records.consents.put(
    joinedId(user.subject, client.id, randomId(ctx)),
    consent,
    forever,
  );
}

/** Everything that a person has allowed this client, and not another one of the same name. */
async function findConsents(ctx: Context, user: User, client: Client): Promise<Consent[]> {
  const rows = await ctx.records.consents.list(joinedPrefix(user.subject, client.id));
  return rows.map(([, consent]) => consent).filter((consent) =>
    consent.userInstance === user.instance && consent.clientInstance === client.instance
  );
}

/** Forgets every consent of which something is true: the next one under those names has to ask. */
export async function withdrawConsents(
  ctx: Context,
  isMeant: (between: { subject: string; clientId: string }) => boolean,
): Promise<void> {
  for await (const [id] of ctx.records.consents.each()) {
    const [subject, clientId] = partsOf(id);
    if (isMeant({ subject, clientId })) await withdrawConsent(ctx, subject, clientId);
  }
}

/** Forgets all that a person has allowed a client. */
export async function withdrawConsent(
  ctx: Context,
  subject: string,
  clientId: string,
): Promise<void> {
  const consents = await ctx.records.consents.list(joinedPrefix(subject, clientId));
  for (const [id] of consents) await ctx.records.consents.delete(id);
  if (consents.length > 0) ctx.emit({ type: "consent.withdrawn", subject, client: clientId });
}

function isCovered(consents: readonly Consent[], asked: ConsentedAccess): boolean {
  const isAllowed = (place: string, token: string) =>
    consents.some(({ scopeAt }) => scopeAt[place]?.includes(token));
  const isTold = (name: string) => consents.some(({ claims = [] }) => claims.includes(name));
  if (consents.length === 0 || !claimsBeyondScope(asked.scope, asked.claims).every(isTold)) {
    return false;
  }
  return placesOf(asked).every((place) => asked.scope.every((token) => isAllowed(place, token)));
}

function placesOf({ resources }: ConsentedAccess): readonly string[] {
  return resources.length > 0 ? resources : [""];
}
