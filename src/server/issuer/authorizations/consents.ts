import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import { claimsBeyondScope } from "../../protocol/claim_rules.ts";
import { mayRememberConsent } from "../../protocol/client_trust.ts";
import { ownMember } from "../../util/values/members.ts";
import type { SignedInUser } from "../active_features.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { updateRow } from "../records/lock.ts";
import { idPrefix, joinId, splitId } from "../records/row_id.ts";
import type { Consent } from "../records/rows.ts";
import { mapCall, type TableCall } from "../records/store_calls.ts";
import { forever } from "../records/table.ts";

/** What a user consents to: a scope, at resources, and further claims. */
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
  { user, consents }: Pick<SignedInUser, "user" | "consents">,
  client: Client,
  access: ConsentedAccess,
): Promise<boolean> {
  if (!mayHaveConsented(client, access)) return false;
  const known = consents?.filter((consent) => isBetween(consent, user, client));
  return isCovered(ctx, known ?? await findConsents(ctx, user, client), access);
}

/**
 * Whether a consent from before can be enough. Authorization details, a payment perhaps, are meant
 * once: they are asked for each time.
 */
export function mayHaveConsented(client: Client, access: ConsentedAccess): boolean {
  return mayRememberConsent(client) && access.authorizationDetails === undefined;
}

/** Returns the call that checks that a remembered consent was not withdrawn. */
export function consentCheck(
  ctx: Context,
  user: User,
  client: Client,
  access: ConsentedAccess,
): TableCall<boolean> {
  return mapCall(
    consentsCall(ctx, user.subject, client),
    (consents) => isCovered(ctx, consents.filter((each) => isBetween(each, user, client)), access),
  );
}

/** Returns the call that lists the consents between a user and a client of these names. */
export function consentsCall(
  { records }: Context,
  subject: string,
  { id }: Client,
): TableCall<Consent[]> {
  const rows = records.consents.calls.list(idPrefix(subject, id));
  return mapCall(rows, (found) => found.map(([, consent]) => consent));
}

/** Finds what a user need not be asked for again. */
export async function findAllowedBefore(
  ctx: Context,
  user: User,
  client: Client,
  access: ConsentedAccess,
): Promise<{
  scope: readonly string[];
  claims: readonly string[];
}> {
  if (!mayRememberConsent(client)) return { scope: [], claims: [] };
  const consents = await findConsents(ctx, user, client);
  return {
    scope: access.scope.filter((token) => isScopeAllowed(consents, access, token)),
    claims: namedClaims(ctx, access).filter((name) => isClaimAllowed(consents, name)),
  };
}

/**
 * Remembers what a user has just allowed, unless all of it is remembered already. What the user
 * refused is no longer remembered.
 */
export async function rememberConsent(
  ctx: Context,
  user: User,
  client: Client,
  access: ConsentedAccess,
  refused: readonly string[] = [],
): Promise<void> {
  if (!mayRememberConsent(client)) return;
  const { consents } = ctx.records;
  // A consent that is withdrawn meanwhile stays withdrawn.
  const before = refused.length > 0 ? await consents.list(idPrefix(user.subject, client.id)) : [];
  for (const [rowId] of before) {
    await updateRow(consents, rowId, (each) => withoutScope(each, resourcesOf(access), refused));
  }
  if (isCovered(ctx, await findConsents(ctx, user, client), access)) return;
  const consent: Consent = {
    scopeAt: Object.fromEntries(resourcesOf(access).map((resource) => [resource, access.scope])),
    claims: namedClaims(ctx, access),
    since: ctx.now(),
    userInstance: user.instance,
    clientInstance: client.instance,
  };
  const rowId = joinId(user.subject, client.id, randomId(ctx));
  await consents.put(rowId, consent, forever);
}

/** Returns a consent without a scope at some resources; undefined if it does not have any of it. */
function withoutScope(
  consent: Consent,
  places: readonly string[],
  scope: readonly string[],
): Consent | undefined {
  const isForgotten = (place: string, token: string) =>
    places.includes(place) && scope.includes(token);
  const entries = Object.entries(consent.scopeAt);
  if (!entries.some(([place, tokens]) => tokens.some((token) => isForgotten(place, token)))) {
    return undefined;
  }
  const scopeAt = Object.fromEntries(
    entries.map(([place, tokens]) => [place, tokens.filter((token) => !isForgotten(place, token))]),
  );
  return { ...consent, scopeAt };
}

/** Withdraws every consent of a user, or to a client, for which all of them are read. */
export async function withdrawConsents(
  ctx: Context,
  { subject, clientId }: Partial<ConsentParties>,
): Promise<void> {
  const prefix = subject === undefined ? "" : idPrefix(subject);
  for await (const [rowId] of ctx.records.consents.each(prefix)) {
    const parties = consentParties(rowId);
    const isMeant = clientId === undefined || clientId === parties.clientId;
    if (isMeant) await withdrawConsent(ctx, parties.subject, parties.clientId);
  }
}

export async function withdrawConsent(
  ctx: Context,
  subject: string,
  clientId: string,
): Promise<void> {
  const consents = await ctx.records.consents.list(idPrefix(subject, clientId));
  for (const [rowId] of consents) await ctx.records.consents.delete(rowId);
  if (consents.length > 0) ctx.emit({ type: "consent.withdrawn", subject, client: clientId });
}

export function consentParties(rowId: string): ConsentParties {
  const [subject = "", clientId = ""] = splitId(rowId);
  return { subject, clientId };
}

/** Finds the consents to this very client, and not to another one of the same name. */
async function findConsents(ctx: Context, user: User, client: Client): Promise<Consent[]> {
  const [consents] = await ctx.records.batch(consentsCall(ctx, user.subject, client));
  return consents.filter((consent) => isBetween(consent, user, client));
}

/** Whether a consent is to this very client, of this very user. */
function isBetween({ userInstance, clientInstance }: Consent, user: User, client: Client): boolean {
  return userInstance === user.instance && clientInstance === client.instance;
}

function isCovered(ctx: Context, consents: readonly Consent[], access: ConsentedAccess): boolean {
  if (consents.length === 0) return false;
  return namedClaims(ctx, access).every((name) => isClaimAllowed(consents, name)) &&
    access.scope.every((token) => isScopeAllowed(consents, access, token));
}

function isScopeAllowed(
  consents: readonly Consent[],
  access: ConsentedAccess,
  token: string,
): boolean {
  return resourcesOf(access).every((resource) =>
    consents.some(({ scopeAt }) => ownMember(scopeAt, resource)?.includes(token))
  );
}

function isClaimAllowed(consents: readonly Consent[], name: string): boolean {
  return consents.some(({ claims = [] }) => claims.includes(name));
}

/** Returns the claims that the user is asked for in addition to the scope. */
function namedClaims({ settings }: Context, { scope, claims }: ConsentedAccess): string[] {
  return claimsBeyondScope(scope, claims, settings);
}

/** Without resources, a consent is for the default one, written as "". */
function resourcesOf({ resources }: ConsentedAccess): readonly string[] {
  return resources.length > 0 ? resources : [""];
}
