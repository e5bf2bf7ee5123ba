import type { Offer } from "../../config/settings.ts";
import { type Client, describesItself, isPublic } from "../../model/client.ts";
import { isInteractiveGrant } from "../../protocol/grant_types.ts";
import { featuresOf } from "../active_features.ts";
import type { Context } from "../context.ts";
import { withCurrentDefaults } from "./current_defaults.ts";

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
