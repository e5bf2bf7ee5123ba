import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { claimsBeyondScope } from "../../protocol/claim_rules.ts";
import { mayRememberConsent } from "../../protocol/client_trust.ts";
import { ownMember } from "../../util/values/own_member.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import type { Consent } from "../records/rows.ts";
import { forever, idPrefix, joinId, splitId } from "../records/table.ts";

/** What a user consents to: a scope, at resources, and claims beside it. */
type ConsentedAccess = Pick<
  AuthorizationRequest,
  "scope" | "resources" | "claims" | "authorizationDetails"
>;

/** The client and the user that a consent is between. */
export interface ConsentParties {
  subject: string;
  clientId: string;
}

/** Whether a user has already allowed a client everything that it asks for. */
export async function hasConsented(
  ctx: Context,
  user: User,
  client: Client,
  access: ConsentedAccess,
): Promise<boolean> {
  // Authorization details, a payment perhaps, are meant once: they are asked for each time.
  if (!mayRememberConsent(client) || access.authorizationDetails) return false;
  return isCovered(ctx, await findConsents(ctx, user, client), access);
}

/** Whether a consent was not withdrawn. One that is not remembered was given for this request. */
export async function isConsentStillValid(
  ctx: Context,
  user: User,
  client: Client,
  access: ConsentedAccess,
): Promise<boolean> {
  return !mayRememberConsent(client) ||
    isCovered(ctx, await findConsents(ctx, user, client), access);
}

/** Remembers what a user has just allowed, unless all of it is remembered already. */
export async function rememberConsent(
  ctx: Context,
  user: User,
  client: Client,
  access: ConsentedAccess,
): Promise<void> {
  if (!mayRememberConsent(client)) return;
  if (isCovered(ctx, await findConsents(ctx, user, client), access)) return;
  const consent: Consent = {
    scopeAt: Object.fromEntries(resourcesOf(access).map((resource) => [resource, access.scope])),
    claims: claimsBeyondScope(access.scope, access.claims, ctx.settings),
    since: ctx.now(),
    userInstance: user.instance,
    clientInstance: client.instance,
  };
  const rowId = joinId(user.subject, client.id, randomId(ctx));
  await ctx.records.consents.put(rowId, consent, forever);
}

/** Withdraws every consent that a condition holds for. */
export async function withdrawConsents(
  ctx: Context,
  condition: (parties: ConsentParties) => boolean,
): Promise<void> {
  for await (const [rowId] of ctx.records.consents.each()) {
    const parties = consentParties(rowId);
    if (condition(parties)) await withdrawConsent(ctx, parties.subject, parties.clientId);
  }
}

/** Withdraws everything that a user has allowed a client. */
export async function withdrawConsent(
  ctx: Context,
  subject: string,
  clientId: string,
): Promise<void> {
  const consents = await ctx.records.consents.list(idPrefix(subject, clientId));
  for (const [rowId] of consents) await ctx.records.consents.delete(rowId);
  if (consents.length > 0) ctx.emit({ type: "consent.withdrawn", subject, client: clientId });
}

/** Returns who the consent of a row is between. */
export function consentParties(rowId: string): ConsentParties {
  const [subject = "", clientId = ""] = splitId(rowId);
  return { subject, clientId };
}

/** Finds the consents to this very client, and not to another one of the same name. */
async function findConsents(ctx: Context, user: User, client: Client): Promise<Consent[]> {
  const rows = await ctx.records.consents.list(idPrefix(user.subject, client.id));
  return rows.map(([, consent]) => consent).filter((consent) =>
    consent.userInstance === user.instance && consent.clientInstance === client.instance
  );
}

function isCovered(ctx: Context, consents: readonly Consent[], access: ConsentedAccess): boolean {
  if (consents.length === 0) return false;
  const isScopeAllowed = (resource: string, token: string) =>
    consents.some(({ scopeAt }) => ownMember(scopeAt, resource)?.includes(token));
  const isClaimAllowed = (name: string) =>
    consents.some(({ claims = [] }) => claims.includes(name));
  return claimsBeyondScope(access.scope, access.claims, ctx.settings).every(isClaimAllowed) &&
    resourcesOf(access).every((resource) =>
      access.scope.every((token) => isScopeAllowed(resource, token))
    );
}

/** Without resources, a consent is for the default one, written as "". */
function resourcesOf({ resources }: ConsentedAccess): readonly string[] {
  return resources.length > 0 ? resources : [""];
}
