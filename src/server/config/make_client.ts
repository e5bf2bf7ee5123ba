import { isApiScope } from "../model/claims.ts";
import type { Client, ClientSecret } from "../model/client.ts";
import type { CoreClientConfig } from "../model/client_config.ts";
import { clientDefaults } from "../model/client_defaults.ts";
import { isNativeUri } from "../protocol/redirect_uri.ts";
import { sha256 } from "../util/crypto/hash.ts";
import { parseDuration } from "../util/time/duration.ts";
import { fillDefaults } from "../util/values/defaults.ts";
import { authenticationOf, grantTypesOf, usesHmac } from "./derived_client_settings.ts";
import { keptOf } from "./feature_settings.ts";
import type { Offer } from "./offer.ts";
import { fillClient } from "./profiles/profile.ts";

/** The characters of base64url that hold 128 bits. */
export const minUnguessableLength = 22;

/** Makes a client from its settings, with the defaults of what is offered to it. */
export async function toClient(given: CoreClientConfig, offer: Offer): Promise<Client> {
  const config = fillClient(offer.profile, given);
  const filled = fillDefaults(clientDefaults, config);
  const { secret, sectorIdentifierUri: _, defaultMaxAge, ...settings } = filled;
  const authentication = authenticationOf(config);
  const { scopes = [...offer.scopes], native } = settings;
  return {
    ...Object.assign({}, ...offer.addedSettings.map(({ defaults }) => defaults)),
    ...settings,
    ...keptOf(offer.addedSettings, config),
    name: config.name ?? config.id,
    authentication,
    secrets: secret ? [await makeSecret(secret, usesHmac(config))] : [],
    grantTypes: grantTypesOf(config),
    scopes,
    defaultScope: config.defaultScope ?? defaultScopeOf(scopes, offer),
    rememberConsent: config.rememberConsent ?? !native,
    requirePar: config.requirePar ?? offer.requirePar,
    sector: sectorOf(config),
    defaultMaxAge: parseDuration(defaultMaxAge),
    authorizationDetailsTypes: config.authorizationDetailsTypes ??
      [...offer.authorizationDetailsTypes],
    ...offer.resources !== "any" && { allowedResources: [...offer.resources] },
    trusted: offer.level === "trusted",
  };
}

/** Returns a secret as it is kept: the text only if it is the key of an HMAC, not yet encrypted. */
async function makeSecret(secret: string, isKey: boolean): Promise<ClientSecret> {
  return {
    hash: await sha256(secret),
    isLong: secret.length >= minUnguessableLength,
    ...isKey && { encryptedText: secret },
  };
}

function defaultScopeOf(scopes: readonly string[], { defaultScope }: Offer): string[] {
  return defaultScope?.filter((token) => scopes.includes(token)) ?? scopes.filter(isApiScope);
}

/**
 * Returns what decides who shares a client's pairwise subjects: its host (OpenID Connect Core,
 * section 8.1). A URI on the user's own machine belongs to no host.
 */
function sectorOf({ id, sectorIdentifierUri, redirectUris = [] }: CoreClientConfig): string {
  const uri = sectorIdentifierUri ?? redirectUris[0];
  if (uri === undefined || !URL.canParse(uri) || isNativeUri(uri)) return id;
  return new URL(uri).host;
}
