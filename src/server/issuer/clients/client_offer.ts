import type { Offer } from "../../config/offer.ts";
import { type Client, describesItself, isPublic } from "../../model/client.ts";
import { isInteractiveGrant } from "../../protocol/grant_types.ts";
import { type ClientSource, featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";
import { withCurrentDefaults } from "./current_defaults.ts";

/**
 * Returns a stored client as it is under the current settings, which may have changed since it was
 * created. One that described itself is confined to them; without its source, it is disabled.
 */
export function currentClient(ctx: Context, client: Client): Client {
  if (!describesItself(client)) return withCurrentDefaults(ctx.settings, client);
  const offer = sourceOf(ctx, client)?.offerTo(ctx, client);
  if (!offer) return { ...client, disabled: true };
  return confineClient(client.registration ? widenScopes(client, offer) : client, offer);
}

/**
 * Removes what the settings no longer allow a client. It never adds anything: a client that
 * registered under stricter settings stays as strict until it registers again.
 */
export function confineClient(client: Client, offer: Offer): Client {
  const mayOmitPkce = offer.pkce === "optional" && !isPublic(client);
  const { assertionAudience, resources } = offer;
  return {
    ...client,
    trusted: client.trusted && offer.level === "trusted",
    pkce: mayOmitPkce ? client.pkce : "required",
    assertionAudience: assertionAudience === "issuer" ? "issuer" : client.assertionAudience,
    grantTypes: intersect(client.grantTypes, offer.grantTypes),
    scopes: intersect(client.scopes, offer.scopes),
    defaultScope: intersect(client.defaultScope, offer.scopes),
    allowedResources: resources === "any" ? undefined : [...resources],
    authorizationDetailsTypes: intersect(
      client.authorizationDetailsTypes,
      offer.authorizationDetailsTypes,
    ),
  };
}

/**
 * Under some profiles, the scope of a registration is only the default of the client. It stays the
 * limit where no user is asked. The client is stored as it registered, so this ends with the
 * profile.
 */
function widenScopes(client: Client, { profile, scopes }: Offer): Client {
  if (profile.registeredScope === "limit") return client;
  return client.grantTypes.every(isInteractiveGrant) ? { ...client, scopes: [...scopes] } : client;
}

function intersect(values: readonly string[], allowed: readonly string[]): string[] {
  return values.filter((value) => allowed.includes(value));
}

/** Returns the feature that a client comes from which described itself. */
export function sourceOf(ctx: Context, client: Client): ClientSource | undefined {
  return featuresOf(ctx).clientSources.find((source) => source.isSourceOf(client));
}

/** Asks each source for a client, until one has it. What it returns must come from there. */
export async function findInSources(
  ctx: Context,
  ask: (source: ClientSource) => Promise<Client | undefined> | undefined,
): Promise<Client | undefined> {
  for (const source of featuresOf(ctx).clientSources) {
    const client = await ask(source);
    if (client && source.isSourceOf(client)) return client;
  }
  return undefined;
}

/** Returns why a source could not read a client. */
export function sourceProblem(ctx: Context, id: string): string | undefined {
  const problems = featuresOf(ctx).clientSources.map((source) => source.problemOf?.(ctx, id));
  return problems.find((problem) => problem !== undefined);
}

/** Lists the clients that are not among the stored ones. */
export async function listElsewhere(ctx: Context): Promise<Client[]> {
  const lists = featuresOf(ctx).clientSources.map((source) => source.list?.(ctx));
  return (await Promise.all(lists)).flatMap((clients = []) => clients);
}

/** Keeps a client for as long as anything that was issued to it may live. */
export async function keepClient(ctx: Context, client: Client, until: number): Promise<void> {
  await sourceOf(ctx, client)?.keep?.(ctx, client, until);
}

export async function noteClientUse(ctx: Context, client: Client): Promise<void> {
  await sourceOf(ctx, client)?.noteUse?.(ctx, client);
}
