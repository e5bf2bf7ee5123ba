import { findClient } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import { intersectScope } from "../../server/protocol/scope.ts";
import { ownMember } from "../../server/util/values/members.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { withAssertion } from "./client_secret_jwt.ts";
import type { Dialect } from "./dialect.ts";
import { requestableIssuer, withUserinfo } from "./userinfo_audience.ts";

const tokenParameters = [
  ...["access_token", "refresh_token", "token", "subject_token", "id_token_hint"],
];

/** How the parameters of a request become those that the server reads. */
export interface ParameterRules {
  scopeSeparator: NonNullable<Dialect["scopeSeparator"]>;
  /** Scopes by other names, and what each stands for. */
  scopeSynonyms: Readonly<Record<string, string>>;
  /** The scopes to keep; undefined if all are kept. */
  knownScopes: readonly string[] | undefined;
  /** The scopes that an authorization request has anyway; undefined for every other request. */
  impliedScopes: readonly string[] | undefined;
  /** What an authorization request without a redirect URI stands for, if anything. */
  redirectUri: string | undefined;
  /** Whether a client secret may be a JWT. */
  hasSecretJwt: boolean;
  /** The audience that stands for userinfo, if requests for an API imply it. */
  userinfo: string | undefined;
  /** Names of parameters, and those that the server knows instead. */
  renamed: Readonly<Record<string, string>>;
  /** Returns the token that the server issued, for one that a client presents. */
  originalOf(token: string): string;
}

/** Returns how the parameters of a request become those that the server reads. */
export async function parameterRules(
  ctx: Context,
  dialect: Dialect,
  { endpoint, client }: WireRequest,
): Promise<Omit<ParameterRules, "originalOf">> {
  const { issuer, resources } = ctx.settings;
  const { userinfoAudience, impliedScopes, clientSecretJwt, logout } = dialect;
  const redirectName = endpoint === "logout" ? logout?.redirectParameter : undefined;
  return {
    scopeSeparator: dialect.scopeSeparator ?? " ",
    scopeSynonyms: await findSynonyms(ctx, dialect, client),
    knownScopes: await findKnownScopes(ctx, dialect, client),
    impliedScopes: endpoint === "authorize" ? impliedScopes : undefined,
    redirectUri: endpoint === "authorize" ? await findOnlyUri(ctx, dialect, client) : undefined,
    renamed: redirectName === undefined ? {} : { [redirectName]: "post_logout_redirect_uri" },
    hasSecretJwt: clientSecretJwt !== undefined,
    userinfo: userinfoAudience === undefined ? undefined : requestableIssuer(issuer, resources),
  };
}

export function translateParameters(
  parameters: URLSearchParams,
  rules: ParameterRules,
): URLSearchParams {
  const changed = new URLSearchParams(
    [...parameters].map(([name, value]): [string, string] => [
      ownMember(rules.renamed, name) ?? name,
      translateValue(name, value, rules),
    ]),
  );
  const isOwnRequest = !changed.has("request_uri") && !changed.has("request");
  if (rules.redirectUri !== undefined && isOwnRequest && !changed.has("redirect_uri")) {
    changed.set("redirect_uri", rules.redirectUri);
  }
  const asserted = rules.hasSecretJwt ? withAssertion(changed) : changed;
  return withUserinfo(withImplied(asserted, rules.impliedScopes), rules.userinfo);
}

/** Returns the scopes that remain in a request; undefined if none is left out. */
async function findKnownScopes(
  ctx: Context,
  { unknownScopes }: Dialect,
  client: string | undefined,
): Promise<readonly string[] | undefined> {
  if (unknownScopes !== "ignore" || client === undefined) return undefined;
  return (await findClient(ctx, client))?.scopes;
}

/** Returns scopes by other names, and the scopes that each stands for. */
async function findSynonyms(
  ctx: Context,
  { clientRequests: { scopeSynonyms = {}, allScopes } = {} }: Dialect,
  client: string | undefined,
): Promise<Record<string, string>> {
  if (allScopes === undefined || client === undefined) return scopeSynonyms;
  const synonyms = { ...scopeSynonyms };
  for (const scope of (await findClient(ctx, client))?.scopes ?? []) {
    const name = scope.replace(/[^/]+$/, allScopes);
    if (scope.includes("/")) synonyms[name] = [synonyms[name] ?? [], scope].flat().join(" ");
  }
  return synonyms;
}

/** Returns the only redirect URI of a client whose requests need not name it. */
async function findOnlyUri(
  ctx: Context,
  { clientRequests }: Dialect,
  client: string | undefined,
): Promise<string | undefined> {
  if (clientRequests?.redirectUri !== "optional" || client === undefined) return undefined;
  const { redirectUris = [] } = await findClient(ctx, client) ?? {};
  return redirectUris.length === 1 ? redirectUris[0] : undefined;
}

/** Adds scopes to a request. One that names a request by its URI has them already. */
function withImplied(
  parameters: URLSearchParams,
  implied: readonly string[] = [],
): URLSearchParams {
  if (implied.length === 0 || parameters.has("request_uri")) return parameters;
  const named = parameters.get("scope")?.split(" ") ?? [];
  const added = implied.filter((scope) => !named.includes(scope));
  const changed = new URLSearchParams(parameters);
  if (added.length > 0) changed.set("scope", [...added, ...named].join(" "));
  return changed;
}

function translateValue(
  name: string,
  value: string,
  { scopeSeparator, scopeSynonyms, knownScopes, originalOf }: ParameterRules,
): string {
  if (tokenParameters.includes(name)) return originalOf(value);
  if (name !== "scope") return value;
  const scope = withoutSynonyms(withSpaces(value, scopeSeparator), scopeSynonyms);
  return knownScopes ? intersectScope(scope, knownScopes) ?? scope : scope;
}

function withoutSynonyms(scope: string, synonyms: ParameterRules["scopeSynonyms"]): string {
  const named = scope.split(" ");
  const known = named.map((token) => ownMember(synonyms, token) ?? token);
  if (String(named) === String(known)) return scope;
  return [...new Set(known.join(" ").split(" "))].join(" ");
}

function withSpaces(scope: string, separator: string): string {
  if (separator === " ") return scope;
  return scope.split(new RegExp(`[ ${separator}]+`)).filter((token) => token !== "").join(" ");
}
