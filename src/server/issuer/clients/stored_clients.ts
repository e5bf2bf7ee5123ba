import { checkEndpointDemands } from "../../config/check_client.ts";
import { coreClientSchema } from "../../config/config_data.ts";
import { clientWithoutSecrets, defaultPkce, scopesAboutUser } from "../../config/make_client.ts";
import { checkRules } from "../../config/profiles/profile.ts";
import { type Offer, type Settings, trustedOffer } from "../../config/settings.ts";
import {
  type Client,
  describesItself,
  isClientSetting,
  isPublic,
  withIdentityOf,
} from "../../model/client.ts";
import { isInteractiveGrant } from "../../protocol/grant_types.ts";
import { featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";

/**
 * Returns a stored client as it is under the current settings, which may have changed since it was
 * created. One that described itself is confined to them; without its feature, it is disabled.
 */
export function currentClient(ctx: Context, client: Client): Client {
  if (!describesItself(client)) return withCurrentDefaults(ctx.settings, client);
  const { documentClients, registeredClients } = featuresOf(ctx);
  const offer = (client.registration ? registeredClients : documentClients)?.offerTo(ctx, client);
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
function widenScopes(client: Client, { settings: { profile }, scopes }: Offer): Client {
  if (profile.registeredScope === "limit") return client;
  return client.grantTypes.every(isInteractiveGrant) ? { ...client, scopes: [...scopes] } : client;
}

function intersect(values: readonly string[], allowed: readonly string[]): string[] {
  return values.filter((value) => allowed.includes(value));
}

/**
 * Returns a stored client; if an operator stored it, with the defaults that the server has now where
 * it was given nothing. Its secrets, and how it may authenticate, are always its own: without them,
 * it would become public. What opens an API must be given, so no client gains it.
 */
export function withCurrentDefaults(settings: Settings, stored: Client): Client {
  if (describesItself(stored)) return stored;
  const offer = trustedOffer(settings);
  const { givenSettings, authentication, authorizationDetailsTypes, secrets } = stored;
  if (givenSettings === undefined || !followsServer(settings, stored)) {
    const { pkce = defaultPkce(stored, offer) } = stored;
    return { ...stored, pkce };
  }
  const own = { authentication, scopes: scopesOf(settings, stored), authorizationDetailsTypes };
  const made = clientWithoutSecrets({ ...givenSettings, ...own }, offer);
  return withIdentityOf(stored, { ...made, secrets, givenSettings });
}

/** Whether the defaults of a client are those of the server, and not those of its row. */
function followsServer({ hardened }: Settings, { grantTypes }: Client): boolean {
  return !hardened && !grantTypes.includes("client_credentials");
}

/** Returns the scopes of a client, with those about the user that the server gained since. */
function scopesOf(settings: Settings, { givenSettings, scopes }: Client): string[] {
  return givenSettings?.scopes ?? [...new Set([...scopes, ...scopesAboutUser(settings)])];
}

/** Returns why a client in the store cannot be used, a sentence each. */
export function storedClientProblems(
  settings: Settings,
  client: Client,
): string[] {
  if (client.disabled) return [];
  const { profile, clientParts } = settings;
  const problems: string[] = [];
  const report = (path: string, problem: string) =>
    problems.push(`client '${client.id}' in the store: ${path} ${problem}`);
  checkRules(profile, profile.clientRules, client, report);
  checkEndpointDemands(client, settings, report);
  const added = clientParts.map(({ schema }) => schema);
  const isKnown = (name: string) =>
    [coreClientSchema, ...added].some(({ members }) => Object.hasOwn(members, name));
  // What asks for something and is not read must not be ignored.
  for (const [name, value] of Object.entries(client)) {
    if (isIdle(value) || !isClientSetting(name) || isKnown(name)) continue;
    report(name, "is a setting that this server does not have");
  }
  return problems;
}

/** Whether a value asks for nothing. */
function isIdle(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
}
