import { noFetch } from "../http/outbound_fetch.ts";
import { type ClaimTargets, defaultScopes, isApiScope, type OwnScopes } from "../model/claims.ts";
import { type CoreClientConfig, isCertificateMethod } from "../model/client_config.ts";
import { clientAlgorithms, type SigningAlgorithm } from "../model/signing.ts";
import { ourPages } from "../pages/pages.ts";
import { openedNames } from "../protocol/claim_rules.ts";
import { dpopAlgorithms } from "../protocol/dpop_proof.ts";
import { basePath } from "../protocol/issuer_url.ts";
import { memoryStore } from "../store/memory.ts";
import { pooledRandomBytes } from "../util/crypto/random_pool.ts";
import type { LocalizedText } from "../util/text/user_text.ts";
import { parseDuration } from "../util/time/duration.ts";
import { fillDefaults } from "../util/values/members.ts";
import { acceptedResourcesOf } from "./accepted_resources.ts";
import type { ScopeConfig } from "./access_config.ts";
import { addressesOf } from "./addresses.ts";
import {
  type CheckableConfig,
  checkConfig,
  checkShape,
  type ImplementedParts,
} from "./check_config.ts";
import type { CoreConfig } from "./config.ts";
import {
  configDefaults,
  type FilledConfig,
  insecureDefaults,
  lifetimesDefaults,
} from "./config_data.ts";
import { type ConfiguredParties, createConfiguredParties } from "./configured_parties.ts";
import { pathsOf } from "./endpoint_paths.ts";
import { ignoreEvents } from "./events.ts";
import { type AddedSettings, frameOf } from "./feature_config.ts";
import type { CoreLifetimesConfig } from "./lifetimes_config.ts";
import { keptOf, type Offer } from "./offer.ts";
import { defaultPolicies } from "./policies.ts";
import { collectProblems } from "./problems.ts";
import { fillServer, type Profile } from "./profiles/profile.ts";
import { profileOf } from "./profiles/profiles.ts";
import type { Lifetimes, Settings } from "./settings.ts";
import { rotationOf } from "./signing_key_config.ts";

/**
 * Checks a configuration and fills in the defaults. Throws a `ConfigError` with every setting that
 * is malformed; if none is, with every contradiction between them.
 */
export function resolveConfig(config: CoreConfig, implemented: ImplementedParts): Settings {
  const given = checkShape(config, implemented.schema);
  const { report, throwAny } = collectProblems();
  const named = profileOf(given.profile);
  const defaults = { ...implemented.added.server.defaults, ...configDefaults };
  const filled = fillDefaults(defaults, fillServer(named, given));
  const profile = { ...named, authentication: authenticationIn(named, filled, implemented) };
  const offer = offerOf(filled, profile, implemented);
  const checked = { config: filled, profile, offer, implemented };
  checkConfig({ ...checked, report });
  throwAny("start the server");
  return toSettings(checked, createConfiguredParties(checked));
}

function toSettings(
  { config, offer, profile, implemented }: CheckableConfig,
  parties: ConfiguredParties,
): Settings {
  const { added } = implemented;
  const { insecure = {}, keyOverlap: _, ...plain } = config;
  const { httpRedirectUris, privateFetches } = fillDefaults(insecureDefaults, insecure);
  const { issuer, scopes = defaultScopes } = config;
  const { clients, users } = parties;
  const idTokenAlg = implemented.idTokenAlg ?? idTokenAlgOf(profile, config.alg);
  const scopeClaims = new Map(Object.entries(scopes).flatMap(claimsOf));
  return {
    ...plain,
    ...keptOf(added.server.parts, config),
    ...addressesOf(
      config,
      added.server.parts.flatMap(({ addresses }) => addresses?.(config) ?? []),
    ),
    frame: frameOf(config, added),
    base: basePath(issuer),
    profile,
    store: config.store ?? memoryStore(),
    parties,
    clients: clients.made,
    configuredClients: clients.list,
    users: users.made,
    scopes: new Map(Object.entries(scopes).map(([name, scope]) => [name, textOf(scope)])),
    ownGroups: offer.ownGroups,
    scopeClaims,
    openedClaims: () => openedClaimsOf(scopeClaims, clients.list()),
    resources: acceptedResourcesOf(config),
    defaultResource: config.defaultResource ?? issuer,
    assertingIssuers: new Map(
      added.server.parts.flatMap(({ assertingIssuers }) => [...assertingIssuers?.(config) ?? []]),
    ),
    httpRedirectUris,
    privateFetches,
    offer,
    hasHmacIdTokens: () => clients.list().some((client) => client.idTokenAlg === "HS256"),
    idTokenAlg,
    idTokenAlgs: () => {
      const named = clients.list().flatMap(algsOf);
      const algs = [idTokenAlg, config.alg, ...config.idTokenAlgs, ...named];
      return [...new Set(algs)].filter((alg) => profile.algs.includes(alg));
    },
    dpopAlgs: config.dpopAlgs ?? dpopAlgorithmsOf(profile),
    keyRotation: rotationOf(config),
    lifetimes: lifetimesOf(config.lifetimes, added),
    refreshReuseGrace: parseDuration(config.refreshReuseGrace),
    policies: { ...defaultPolicies, ...config.policies },
    paths: pathsOf(config, added),
    pages: { ...ourPages, ...added.pages.defaults, ...config.pages },
    fetch: config.fetch ?? ((url, init) => fetch(url, init)),
    fetchUntrusted: config.fetchUntrusted ?? noFetch,
    now: config.now ?? Date.now,
    randomBytes: config.randomBytes ?? pooledRandomBytes,
    onEvent: config.onEvent ?? ignoreEvents,
  };
}

/** Returns the methods of a profile that this server has: some are those of features. */
function authenticationIn(
  { authentication }: Profile,
  config: FilledConfig,
  { added }: ImplementedParts,
): Profile["authentication"] {
  const own = added.server.parts.flatMap((part) => part.authentication?.(config) ?? []);
  return authentication.filter((method) => !isCertificateMethod(method) || own.includes(method));
}

function textOf(scope: string | ScopeConfig): LocalizedText {
  return typeof scope === "string" ? scope : scope.text;
}

/** Returns the entry of a scope among those that open claims. */
function claimsOf(
  [name, scope]: [name: string, scope: string | ScopeConfig],
): Array<[name: string, claims: string[] | ClaimTargets]> {
  return typeof scope === "object" && scope.claims ? [[name, scope.claims]] : [];
}

function openedClaimsOf(
  scopeClaims: Settings["scopeClaims"],
  clients: readonly CoreClientConfig[],
): string[] {
  const rules = [...scopeClaims.values(), ...clients.map(({ claims }) => claims)];
  return [...new Set(rules.flatMap(openedNames))];
}

/** Converts lifetimes to seconds. An unused refresh token never outlives a used one. */
function lifetimesOf(given: CoreLifetimesConfig = {}, added: AddedSettings): Lifetimes {
  const defaults = { ...lifetimesDefaults, ...added.lifetimes.defaults };
  const durations = Object.entries(fillDefaults(defaults, given));
  const seconds = durations.map(([name, value]) => [name, Math.ceil(parseDuration(value) ?? 0)]);
  const lifetimes: Lifetimes = Object.fromEntries(seconds);
  return { ...lifetimes, refreshIdle: Math.min(lifetimes.refreshIdle, lifetimes.refreshToken) };
}

/**
 * A client that names no algorithm expects RS256, for ID tokens and for every other signed response
 * (OpenID Connect Registration, section 2; JARM, section 3; RFC 9701, section 6). A profile may
 * forbid it.
 */
function idTokenAlgOf({ algs }: Profile, alg: SigningAlgorithm): SigningAlgorithm {
  return algs.includes("RS256") ? "RS256" : alg;
}

function dpopAlgorithmsOf({ algs }: Profile): Settings["dpopAlgs"] {
  const allowed = clientAlgorithms(algs);
  return dpopAlgorithms.filter((alg) => allowed.includes(alg));
}

/** Returns the algorithms that a configured client names. */
function algsOf(client: CoreClientConfig): SigningAlgorithm[] {
  const { userinfoAlg, introspectionAlg, authorizationResponseAlg } = client;
  const idTokenAlg = client.idTokenAlg === "HS256" ? undefined : client.idTokenAlg;
  const algs = [idTokenAlg, userinfoAlg, introspectionAlg, authorizationResponseAlg];
  return algs.filter((alg) => alg !== undefined);
}

/**
 * Returns the scopes that open claims about the user and nothing else: those of OpenID Connect, and
 * those that have claims and that no resource names.
 */
function claimScopesOf(config: CoreConfig, own: OwnScopes): Set<string> {
  const { scopes = defaultScopes, resources = [] } = config;
  const ofApis = resources === "any"
    ? []
    : resources.flatMap((each) => typeof each === "string" ? [] : each.scopes ?? []);
  const named = Object.entries(scopes).filter(([name, scope]) => {
    if (!isApiScope(name, own)) return name !== "offline_access";
    return claimsOf([name, scope]).length > 0 && !ofApis.includes(name);
  });
  return new Set(named.map(([name]) => name));
}

/** Returns what a server offers to the clients that its operator trusts: everything it has. */
export function offerOf(
  config: FilledConfig,
  profile: Profile,
  { added, openGrants = [], httpClients }: ImplementedParts,
): Offer {
  const { issuer, scopes = defaultScopes, authorizationDetails, insecure } = config;
  const { defaultResource = issuer } = config;
  const ownGroups = config.scopes === undefined;
  const accepted = acceptedResourcesOf(config);
  const listed = accepted === "any" ? [] : accepted.only.map(({ uri }) => uri);
  return {
    level: "trusted",
    issuer,
    profile,
    scopes: Object.keys(scopes),
    defaultScope: config.defaultScope,
    grantTypes: config.grantTypes,
    openGrants,
    authorizationDetailsTypes: Object.keys(authorizationDetails),
    resources: "any",
    pkce: config.pkce,
    assertionAudience: "issuer",
    ownGroups,
    claimScopes: claimScopesOf(config, { ownGroups }),
    audiences: [issuer, defaultResource, ...listed],
    endpoints: Object.keys(pathsOf(config, added)),
    requirePar: config.requirePar,
    httpRedirectUris: insecure?.httpRedirectUris ?? false,
    unownedRedirectUris: httpClients || insecure?.httpRedirectUris === true,
    addedSettings: added.clients.parts,
  };
}
