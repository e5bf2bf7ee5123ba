import { basePath } from "../protocol/issuer_url.ts";
import { dpopAlgorithms } from "../protocol/dpop_proof.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import { refuseToFetch } from "../http/outside.ts";
import { ourPages } from "../pages/pages.ts";
import { memoryStore } from "../store/memory.ts";
import { addressesOf, checkAddresses } from "./addresses.ts";
import { checkClient, reportBeyond, toClient } from "./client_config.ts";
import type { ClientConfig, Config, Lifetimes } from "./config.ts";
import { configShape } from "./config_shape.ts";
import { day, hour, minute, parseDuration } from "./duration.ts";
import { makeKey } from "./key_maker.ts";
import { once } from "./once.ts";
import { openIdScopes } from "./openid_scopes.ts";
import { pbkdf2Passwords } from "./passwords.ts";
import type { Policies } from "./policies.ts";
import type { Profile } from "./profiles/profile.ts";
import { checkRules, fillServer } from "./profiles/profile.ts";
import { collectProblems } from "./problems.ts";
import { profileOf } from "./profiles/profiles.ts";
import { checkResource, resourceRule, uriOf } from "./resource_config.ts";
import type { Settings } from "./settings.ts";
import type { Report } from "./shape.ts";
import { checkTrustedIssuers } from "./trusted_issuers.ts";
import { checkUser, toUser } from "./user_config.ts";

const defaultLifetimes: Lifetimes = {
  code: 5 * minute,
  deviceCode: 10 * minute,
  accessToken: 1 * hour,
  idToken: 1 * hour,
  refreshToken: 30 * day,
  refreshIdle: 30 * day,
  session: 1 * day,
  pushedRequest: 5 * minute,
  interaction: 1 * hour,
  unusedClient: 90 * day,
};

const defaultPolicies: Policies = {
  authenticate: async (form, known) => ({ user: await known.checkPassword(form), amr: ["pwd"] }),
  passwords: pbkdf2Passwords,
  makeKey,
};

const defaultGrantTypes = ["authorization_code", "refresh_token", "client_credentials"];

/** Fills in the defaults, or says everything that stands in the way. */
export function resolveConfig(given: Config, grantTypes: readonly string[]): Settings {
  const problems = collectProblems();
  configShape(given, "", problems.report);
  const profile = profileOf(given.profile);
  const config = fillServer(profile, given);
  const misshapen = problems.paths();
  checkConfig({ config, profile, grantTypes }, (path) => !misshapen.some((each) => each === "" || each.startsWith(path)), problems.report);
  problems.throwAny("start the server");
  return fillIn(config, profile);
}

interface Examined {
  config: Config;
  profile: Profile;
  /** Every grant that there is. */
  grantTypes: readonly string[];
}

/** Checks what members say against each other, as far as each of them has the right shape. */
function checkConfig({ config, profile, grantTypes }: Examined, isSound: (path: string) => boolean, report: Report): void {
  const passwords = config.policies?.passwords ?? defaultPolicies.passwords;
  checkAddresses(config, isSound, report);
  if (config.clientMetadataDocuments && !config.fetchUntrusted) {
    report("clientMetadataDocuments", "needs fetchUntrusted, a safe way to fetch the documents; hallpass/serve has guardedFetch()");
  }
  checkRules(profile, profile.serverRules.filter(({ path }) => isSound(path)), config, report);
  const clients = soundOnes("clients", config.clients, isSound);
  const users = soundOnes("users", config.users, isSound);
  const resources = soundOnes("resources", config.resources === "any" ? [] : config.resources, isSound);
  const offered = {
    scopes: Object.keys(isSound("scopes") && config.scopes || openIdScopes),
    grantTypes: isSound("grantTypes") && config.grantTypes || defaultGrantTypes,
    profile,
    detailTypes: Object.keys(isSound("authorizationDetails") && config.authorizationDetails || {}),
    requirePar: config.requirePar ?? false,
    httpRedirectUris: config.insecure?.httpRedirectUris ?? false,
  };
  const trusted = soundOnes("trustedIssuers", config.trustedIssuers, isSound);
  reportDuplicates("trustedIssuers", trusted.map(({ value }) => value.issuer), report);
  checkTrustedIssuers(config, trusted, offered, report);
  if (isSound("keyRotation") && isSound("keyOverlap")) checkRotation(rotationOf(config), report);
  reportBeyond("grantTypes", offered.grantTypes, grantTypes, `; known are: ${grantTypes.join(", ")}`, report);
  reportDuplicates("clients", clients.map(({ value }) => value.id), report);
  reportDuplicates("resources", resources.map(({ value }) => uriOf(value)), report);
  for (const { value, path } of resources) checkResource(value, offered, (member, problem) => report(`${path}.${member}`, problem));
  reportDuplicates("users", users.map(({ value }) => value.name), report);
  for (const { value, path } of clients) checkClient(value, offered, (member, problem) => report(`${path}.${member}`, problem));
  for (const { value, path } of users) checkUser(value, passwords, (member, problem) => report(`${path}.${member}`, problem));
  const subjects = [...new Map(users.map(({ value }) => [value.name, value.sub ?? value.name])).values()];
  reportDuplicates("the 'sub' of users", subjects, report);
  reportConfusable(clients.map(({ value }) => value.id), subjects, report);
}

function soundOnes<T>(name: string, list: readonly T[] | undefined, isSound: (path: string) => boolean): Array<{ value: T; path: string }> {
  if (!Array.isArray(list)) return [];
  return list.map((value, at) => ({ value, path: `${name}[${at}]` })).filter(({ path }) => isSound(path));
}

function fillIn(config: Config, profile: Profile): Settings {
  const { issuer, clients = [], users = [], alg = "RS256", defaultResource = issuer } = config;
  const scopes = config.scopes ?? openIdScopes;
  const policies = { ...defaultPolicies, ...config.policies };
  const authorizationDetails = config.authorizationDetails ?? {};
  const detailTypes = Object.keys(authorizationDetails);
  const offered = { profile, scopes: Object.keys(scopes), detailTypes, requirePar: config.requirePar ?? false };
  return {
    ...addressesOf(config),
    base: basePath(issuer),
    profile,
    store: config.store ?? memoryStore(),
    clients: new Map(clients.map((client) => [client.id, once(() => toClient(client, offered))])),
    users: new Map(users.map((user) => [user.name, once(() => toUser(user, policies.passwords))])),
    scopes: new Map(Object.entries(scopes)),
    resources: resourceRule(config),
    defaultResource,
    authorizationDetails,
    grantTypes: config.grantTypes ?? defaultGrantTypes,
    trustedIssuers: new Map((config.trustedIssuers ?? []).map((each) => [each.issuer, each])),
    requirePar: offered.requirePar,
    httpRedirectUris: config.insecure?.httpRedirectUris ?? false,
    registration: config.registration,
    registrationsPerMinute: config.registrationsPerMinute ?? 60,
    clientMetadataDocuments: config.clientMetadataDocuments ?? false,
    errorsAfterSignIn: config.errorsAfterSignIn ?? false,
    privateFetches: config.insecure?.privateFetches ?? false,
    alg,
    dpopAlgs: config.dpopAlgs ?? dpopAlgorithms.filter((each) => profile.algs.includes(each === "Ed25519" ? "EdDSA" : each)),
    dpopNonces: config.dpopNonces ?? false,
    idTokenAlgs: [...new Set([alg, ...config.idTokenAlgs ?? [], ...clients.flatMap(algsOf), "RS256" as const])]
      .filter((each) => profile.algs.includes(each)),
    keyRotation: rotationOf(config),
    acrValues: config.acrValues ?? [],
    lifetimes: fillLifetimes(config.lifetimes ?? {}),
    refreshTokens: config.refreshTokens ?? "rotate",
    refreshReuseGrace: parseDuration(config.refreshReuseGrace) ?? 0,
    secret: config.secret,
    policies,
    pages: { ...ourPages, ...config.pages },
    notice: config.notice,
    hints: config.hints ?? false,
    guessesPerMinute: config.guessesPerMinute ?? 60,
    trustedProxies: config.trustedProxies ?? [],
    fetch: config.fetch ?? ((url, init) => fetch(url, init)),
    fetchUntrusted: config.fetchUntrusted ?? refuseToFetch,
    now: config.now ?? Date.now,
    randomBytes: config.randomBytes ?? ((count) => crypto.getRandomValues(new Uint8Array(count))),
    onEvent: config.onEvent ?? (() => {}),
  };
}

/** What a client that the operator wrote down wants to be signed, and how. */
function algsOf({ idTokenAlg, userinfoAlg, introspectionAlg, authorizationResponseAlg }: ClientConfig): SigningAlgorithm[] {
  return [idTokenAlg, userinfoAlg, introspectionAlg, authorizationResponseAlg].filter((alg) => alg !== undefined);
}

function rotationOf({ keyRotation = 90 * day, keyOverlap = 1 * day }: Config): Settings["keyRotation"] {
  const every = keyRotation === "never" ? undefined : parseDuration(keyRotation)! * 1000;
  return { every, overlap: parseDuration(keyOverlap)! * 1000 };
}

/** A successor must not be due before its predecessor signs. */
function checkRotation({ every, overlap }: Settings["keyRotation"], report: Report): void {
  if (every !== undefined && every <= overlap) {
    report("keyRotation", "must be longer than 'keyOverlap', for which a key is shown before it signs");
  }
}

function fillLifetimes(given: NonNullable<Config["lifetimes"]>): Lifetimes {
  const seconds = Object.entries(given).map(([name, value]) => [name, Math.ceil(parseDuration(value) ?? 0)]);
  const lifetimes: Lifetimes = { ...defaultLifetimes, ...Object.fromEntries(seconds) };
  return { ...lifetimes, refreshIdle: Math.min(lifetimes.refreshIdle, lifetimes.refreshToken) };
}

function reportDuplicates(path: string, names: readonly string[], report: Report): void {
  const duplicates = names.filter((name, at) => names.indexOf(name) !== at);
  for (const name of new Set(duplicates)) report(path, `holds '${name}' more than once`);
}

/** In a token, a client that acts for itself and a person are both a `sub` (RFC 9700, section 4.15). */
function reportConfusable(clientIds: readonly string[], subjects: readonly string[], report: Report): void {
  for (const id of clientIds) if (subjects.includes(id)) report("clients", `holds '${id}', which is also the 'sub' of a user`);
}
