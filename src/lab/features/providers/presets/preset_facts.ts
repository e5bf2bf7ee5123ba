import type { Dialect } from "../../../dialect/dialect.ts";
import type {
  AliasTarget,
  DialectHost,
  EndpointAlias,
  UserApi,
} from "../../../dialect/place_settings.ts";
import { endpointNames, isEndpointField } from "../../../dialect/provider_places.ts";
import type { ErrorShape } from "../../../dialect/response_settings.ts";
import type { PresetFact, PresetSettings } from "./preset.ts";

/** PKCE is not required of clients with a secret. */
export const optionalPkce: PresetSettings = {
  clientDefaults: { pkce: "optional" },
  unknownClientPkce: "optional",
};

export const noIssuer: Dialect = { authorizationResponse: { unset: ["iss"] } };

/** An authorization response is a 302, and has no issuer. */
export const plainRedirect: PresetSettings = { redirectStatus: 302, dialect: noIssuer };

/** The token type is in lower case, where the server writes Bearer. */
export const lowerCaseBearer: Dialect = { tokenResponse: { set: { token_type: "bearer" } } };

/** The scopes of OpenID Connect that most providers have, as a consent page explains them. */
export const signInScopes = {
  openid: "Sign you in",
  profile: "See your profile",
  email: "See your e-mail address",
};

/** Everything is signed with RS256. */
export const rs256: PresetSettings = { idTokenAlgs: ["RS256"] };

/** A fact that its sources state. */
export function fact(from: string, says: string, plays: PresetSettings): PresetFact {
  return { from: from.split(", "), says, plays };
}

/** A fact about the wire alone. */
export function wire(from: string, says: string, dialect: Dialect): PresetFact {
  return fact(from, says, { dialect });
}

/** A fact that its sources leave in doubt. */
export function uncertain(stated: PresetFact): PresetFact {
  return { ...stated, isUncertain: true };
}

/** A fact that customers of the provider may change. */
export function adjustable(stated: PresetFact): PresetFact {
  return { ...stated, isAdjustable: true };
}

/** Returns the paths of the endpoints that metadata names below an address. */
export function pathsOf(
  metadata: Readonly<Record<string, unknown>>,
  address: "{base}" | "{issuer}" = "{base}",
): Record<string, string> {
  const named = Object.entries(metadata).flatMap(([name, value]) =>
    isEndpointField(name) && String(value).startsWith(address)
      ? [[endpointNames[name], String(value).slice(address.length)]]
      : []
  );
  return Object.fromEntries(named);
}

/** The fact that a provider publishes this metadata, and no document besides it. */
export function onlyMetadata(from: string, body: Readonly<Record<string, unknown>>): PresetFact {
  const documents = [{ path: "/.well-known/openid-configuration", body }];
  return wire(from, "OpenID Connect Discovery, and no other.", { ownMetadata: false, documents });
}

/** Another error of the token endpoint; `names` are errors of the server, or rules. */
export function tokenError(
  names: string,
  set: Record<string, unknown>,
  status?: number,
): ErrorShape {
  return { at: "token", for: names.split(", "), set, ...status !== undefined && { status } };
}

/** Another error of the token endpoint, with a description. */
export function describedError(
  names: string,
  error: string,
  error_description: string,
  status?: number,
): ErrorShape {
  return tokenError(names, { error, error_description }, status);
}

/** The error of an authorization response after a user declined. */
export function userDeclined(error: string, error_description?: string): ErrorShape {
  const set = { error, ...error_description !== undefined && { error_description } };
  return { at: "authorize", for: ["access_denied"], set };
}

/** Returns members that have the claims of the user by the same names. */
export function claimsOfUser(names: string): Record<string, string> {
  return Object.fromEntries(words(names).map((name) => [name, `{user.${name}}`]));
}

export function aliases(to: AliasTarget, paths: string): EndpointAlias[] {
  return words(paths).map((path) => ({ path, to }));
}

/** Paths that a provider has and the lab does not play, as a sentence says. */
export function notPlayed(text: string, paths: string): Dialect {
  return { missingPaths: words(paths).map((path) => ({ path, text })) };
}

/** Returns an API about the user, at each of these paths. */
export function userApis(paths: string, api: Omit<UserApi, "path">): UserApi[] {
  return words(paths).map((path) => ({ path, ...api }));
}

/** Returns hosts, and the paths that the metadata names there. The first host has the issuer. */
export function hosts(names: string, paths?: string): DialectHost[] {
  return words(names).map((name) => ({ name, ...paths && { paths: words(paths) } }));
}

/** Returns the parts of a text that commas separate. */
export function parts(text: string): string[] {
  return text.split(", ");
}

export function words(text: string): string[] {
  return text.split(" ");
}

/** Another name of the grant of devices, with its parameters by other names. */
export function deviceGrantAs(name: string, parameters: Record<string, string> = {}): Dialect {
  const grantType = "urn:ietf:params:oauth:grant-type:device_code";
  return { clientRequests: { grantTypeSynonyms: { [name]: { grantType, parameters } } } };
}
