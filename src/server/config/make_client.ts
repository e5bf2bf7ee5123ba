import { isApiScope } from "../model/claims.ts";
import {
  alwaysAuthenticates,
  type Client,
  clientDefaults,
  describesItself,
} from "../model/client.ts";
import type {
  ClientAuthenticationMethod,
  CoreClientConfig,
  PkceRequirement,
} from "../model/client_config.ts";
import { isNativeUri, isUnownedUri } from "../protocol/redirect_uri.ts";
import { sha256 } from "../util/crypto/hash.ts";
import { parseDuration, second } from "../util/time/duration.ts";
import { fillDefaults } from "../util/values/members.ts";
import { setByParts } from "./feature_config.ts";
import { fillClient } from "./profiles/profile.ts";
import type { Offer, Settings } from "./settings.ts";

/** The characters of base64url that hold 128 bits. */
export const minUnguessableLength = 22;

/** Makes a client from its settings, with the defaults of what is offered to it. */
export async function toClient(given: CoreClientConfig, offer: Offer): Promise<Client> {
  const { secret } = given;
  const client = clientWithoutSecrets(given, offer);
  if (!secret) return { ...client, secrets: [] };
  const isLong = secret.length >= minUnguessableLength;
  // The text is kept only if it is the key of an HMAC. It is not yet encrypted.
  const key = usesHmac(given) ? { encryptedText: secret } : {};
  return { ...client, secrets: [{ hash: await sha256(secret), isLong, ...key }] };
}

/** Makes all of a client but its secrets, which need to be hashed. */
export function clientWithoutSecrets(
  given: CoreClientConfig,
  offer: Offer,
): Omit<Client, "secrets"> {
  const { profile, clientParts, requirePar } = offer.settings;
  const config = fillClient(profile, given);
  const filled = fillDefaults(clientDefaults, config);
  const { secret: _, sectorIdentifierUri: _uri, ...settings } = filled;
  const authentication = authenticationOf(config);
  const { scopes = [...offer.scopes], native } = settings;
  return {
    ...Object.assign({}, ...clientParts.map(({ defaults }) => defaults)),
    ...settings,
    ...setByParts(clientParts, ({ keep }) => keep?.(config)),
    name: config.name ?? config.id,
    authentication,
    grantTypes: grantTypesOf(config),
    scopes,
    defaultScope: config.defaultScope ??
      offer.settings.defaultScope?.filter((token) => scopes.includes(token)) ??
      scopes.filter((token) => isApiScope(token, offer.settings)),
    pkce: config.pkce ?? defaultPkce({ ...filled, authentication }, offer),
    rememberConsent: config.rememberConsent ?? !native,
    requirePar: config.requirePar ?? requirePar,
    sector: sectorOf(config),
    defaultMaxAge: parseDuration(config.defaultMaxAge),
    refreshReuseGrace: parseDuration(config.refreshReuseGrace),
    authorizationDetailsTypes: config.authorizationDetailsTypes ??
      [...offer.authorizationDetailsTypes],
    ...offer.resources !== "any" && { allowedResources: [...offer.resources] },
    trusted: offer.level === "trusted",
  };
}

/**
 * Returns the ways in which a client may authenticate: those it names, or those it has credentials
 * for.
 */
export function authenticationOf(config: CoreClientConfig): ClientAuthenticationMethod[] {
  if (config.authentication) return config.authentication;
  if (config.secret) return ["client_secret_basic", "client_secret_post"];
  return hasKeys(config) ? ["private_key_jwt"] : ["none"];
}

/** Returns whether a client needs PKCE that was given no `pkce` of its own. */
export function defaultPkce(
  client: Pick<Client, "authentication" | "native" | "redirectUris">,
  offer: Pick<Offer, "pkce">,
): PkceRequirement {
  return alwaysAuthenticates(client) && receivesOnWeb(client) ? offer.pkce : "required";
}

/**
 * Returns how long a used refresh token still returns its successor, if it was not set, in seconds:
 * applications with several tabs refresh several times at once. It does so only if a thief would
 * also need the credentials of a client that an operator knows.
 */
export function defaultRefreshGrace(client: Client): number {
  return alwaysAuthenticates(client) && !describesItself(client) ? 10 * second : 0;
}

/** Whether codes reach a client at web pages alone: on a user's machine, other programs get them. */
export function receivesOnWeb(
  { native, redirectUris }: Pick<Client, "native" | "redirectUris">,
): boolean {
  return !native && redirectUris.every((uri) => /^https?:/i.test(uri));
}

export function hasKeys({ jwks, jwksUri }: CoreClientConfig): boolean {
  return jwks !== undefined || jwksUri !== undefined;
}

export function grantTypesOf({ grantTypes, redirectUris = [] }: CoreClientConfig): string[] {
  if (grantTypes) return grantTypes;
  return redirectUris.length > 0 ? ["authorization_code", "refresh_token"] : ["client_credentials"];
}

/** What a stored client may request that was given no scopes: nothing of an API, nor for long. */
export function scopesAboutUser({ scopes, claimScopes }: Settings): string[] {
  return [...scopes.keys()].filter((scope) => claimScopes.has(scope));
}

/** Whether the secret of a client is the key of an HMAC: its own, or that of its ID tokens. */
export function usesHmac(config: CoreClientConfig): boolean {
  return config.idTokenAlg === "HS256" || authenticationOf(config).includes("client_secret_jwt");
}

/**
 * Returns what decides who shares a client's pairwise subjects: its host (OpenID Connect Core,
 * section 8.1). A URI on the user's own machine belongs to no host.
 */
function sectorOf({ id, sectorIdentifierUri, redirectUris = [] }: CoreClientConfig): string {
  const uri = sectorIdentifierUri ?? redirectUris[0];
  if (uri === undefined || !URL.canParse(uri) || isNativeUri(uri)) return id;
  // Anyone may register a name below localhost, which would show the subjects of others.
  if (isUnownedUri(uri)) return id;
  return new URL(uri).host;
}
