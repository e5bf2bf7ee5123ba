import type { Offer } from "../../config/offer.ts";
import { type Client, isPublic, type Registration } from "../../model/client.ts";
import type { ServerMetadata } from "../../model/server_metadata.ts";
import { registrationTrust } from "../../protocol/client_trust.ts";
import { isInteractiveGrant } from "../../protocol/grant_types.ts";
import type { Context } from "../context.ts";
import { describeOffer } from "../describe_server.ts";

/** Returns what the server offers to a client that registered itself. */
export function offerToRegistered(
  { settings: { registration, offers } }: Context,
  { initialAccess = false }: Pick<Registration, "initialAccess">,
): Offer {
  return offers[registrationTrust(initialAccess, registration)];
}

/** Returns what the server offers to the client of a metadata document. */
export function offerToDocument(
  { settings: { offers, trustedIssuers } }: Context,
  id: string,
  hasKey: boolean,
): Offer {
  const lists = [...trustedIssuers.values()].map(({ clients }) => clients);
  // To present assertions, the client must have a key, too.
  return hasKey && lists.some((ids) => ids.includes(id)) ? offers.listed : offers.untrusted;
}

/** Returns the metadata of the server as it is for the clients of one offer. */
export function metadataFor({ metadata }: Context, offer: Offer): ServerMetadata {
  return { ...metadata(), ...describeOffer(offer) };
}

/**
 * Confines a client that described itself to the current settings, which may be stricter than when
 * it was created.
 */
export function confineToOffer(ctx: Context, client: Client): Client {
  const { id, registration, document } = client;
  if (registration) {
    const offer = offerToRegistered(ctx, registration);
    return confineClient(widenScopes(client, offer), offer);
  }
  return document ? confineClient(client, offerToDocument(ctx, id, !isPublic(client))) : client;
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
