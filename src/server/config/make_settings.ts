import { noFetch } from "../http/outbound_fetch.ts";
import { type ClaimTargets, defaultScopes, isApiScope, type OwnScopes } from "../model/claims.ts";
import { type CoreClientConfig, isCertificateMethod } from "../model/client_config.ts";
import { clientAlgorithms, type SigningAlgorithm } from "../model/signing.ts";
import { defaultBrand } from "../pages/brand.ts";
import { english } from "../pages/languages/languages.ts";
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
import { checkSettings, type ImplementedParts } from "./check_config.ts";
import { checkShape } from "./check_shape.ts";
import type { CoreConfig } from "./config.ts";
import { configDefaults, insecureDefaults, lifetimesDefaults } from "./config_data.ts";
import { createConfiguredParties } from "./configured_parties.ts";
import { pathsOf } from "./endpoint_paths.ts";
import { ignoreEvents } from "./events.ts";
import { addedDefaults, type FeatureConfig, setByParts } from "./feature_config.ts";
import type { CoreLifetimesConfig } from "./lifetimes_config.ts";
import { defaultPolicies } from "./policies.ts";
import { collectProblems } from "./problems.ts";
import { fillServer, type Profile } from "./profiles/profile.ts";
import { profileOf } from "./profiles/profiles.ts";
import type { Lifetimes, Settings } from "./settings.ts";
import { rotationOf } from "./signing_key_config.ts";

/** The settings of the core that are for features. */
const settingsForFeatures: ReadonlyArray<keyof Settings> = [
  "addresses",
  "assertingIssuers",
  "brand",
  "certificateMethods",
  "languages",
  "passkeyDemand",
];

/**
 * Makes the settings of a server from its configuration. Throws a `ConfigError` with every setting
 * that is malformed; if none is, with every contradiction between them.
 */
export function makeSettings(written: CoreConfig, implemented: ImplementedParts): Settings {
  const { configs, schema } = implemented;
  const shaped = checkShape(written, schema);
  const named = profileOf(shaped.profile);
  const defaults = { ...addedDefaults(configs, "server"), ...configDefaults };
  const config = fillDefaults(defaults, fillServer(named, shaped));

  const { keyOverlap, ...plain } = config;
  const { issuer, scopes = defaultScopes, defaultResource = issuer } = config;
  const ofFeatures: Partial<Settings> = setByParts(
    configs.flatMap(({ server = [] }) => server),
    (part) => part.sets?.(part.of(config)),
    settingsForFeatures,
  );
  const { certificateMethods = [] } = ofFeatures;
  const profile = {
    ...named,
    authentication: named.authentication.filter((method) =>
      !isCertificateMethod(method) || certificateMethods.includes(method)
    ),
  };
  const insecure = fillDefaults(insecureDefaults, config.insecure ?? {});
  const resources = acceptedResourcesOf(config);
  const listed = resources === "any" ? [] : resources.only.map(({ uri }) => uri);
  const ownGroups = config.scopes === undefined;
  const { clients, users } = createConfiguredParties(config, implemented, () => settings);
  const idTokenAlg = implemented.idTokenAlg ?? idTokenAlgOf(profile, config.alg);
  const scopeClaims = new Map(Object.entries(scopes).flatMap(claimsOf));

  const settings: Settings = {
    ...plain,
    assertingIssuers: new Map(),
    brand: defaultBrand,
    languages: [english],
    passkeyDemand: undefined,
    ...ofFeatures,
    certificateMethods,
    ...addressesOf(config, ofFeatures.addresses),
    // A problem of the issuer is found below.
    base: URL.canParse(issuer) ? basePath(issuer) : "",
    paths: pathsOf(config.paths, configs),
    profile,
    insecure,
    policies: { ...defaultPolicies, ...config.policies },
    clients,
    users,
    clientParts: configs.flatMap(({ clients = [] }) => clients),
    httpClients: implemented.httpClients || insecure.httpRedirectUris,
    scopes: new Map(Object.entries(scopes).map(([name, scope]) => [name, textOf(scope)])),
    ownGroups,
    scopeClaims,
    claimScopes: claimScopesOf(config, { ownGroups }),
    openedClaims: () => openedClaimsOf(scopeClaims, clients.list()),
    resources,
    defaultResource,
    audiences: [issuer, defaultResource, ...listed],
    openGrants: implemented.openGrants ?? [],
    idTokenAlg,
    idTokenAlgs: () => {
      const chosen = clients.list().flatMap(algsOf);
      const algs = [idTokenAlg, config.alg, ...config.idTokenAlgs, ...chosen];
      return [...new Set(algs)].filter((alg) => profile.algs.includes(alg));
    },
    hasHmacIdTokens: () => clients.list().some((client) => client.idTokenAlg === "HS256"),
    dpopAlgs: config.dpopAlgs ?? dpopAlgorithmsOf(profile),
    keyRotation: rotationOf(config.keyRotation, keyOverlap),
    lifetimes: lifetimesOf(config.lifetimes, configs),
    refreshReuseGrace: parseDuration(config.refreshReuseGrace),
    pages: { ...ourPages, ...addedDefaults(configs, "pages"), ...config.pages },
    store: config.store ?? memoryStore(),
    fetch: config.fetch ?? ((url, init) => fetch(url, init)),
    fetchUntrusted: config.fetchUntrusted ?? noFetch,
    now: config.now ?? Date.now,
    randomBytes: config.randomBytes ?? pooledRandomBytes,
    onEvent: config.onEvent ?? ignoreEvents,
  };

  const { report, throwAny } = collectProblems();
  checkSettings(config, settings, implemented, report);
  throwAny("start the server");
  return settings;
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
function lifetimesOf(
  given: CoreLifetimesConfig = {},
  features: readonly FeatureConfig[],
): Lifetimes {
  const defaults = { ...lifetimesDefaults, ...addedDefaults(features, "lifetimes") };
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
