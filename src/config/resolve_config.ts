import { noFetch } from "../http/outbound_fetch.ts";
import type { ClientConfig } from "../model/client_config.ts";
import { clientAlgorithms, type SigningAlgorithm } from "../model/signing.ts";
import { ourPages } from "../pages/pages.ts";
import { dpopAlgorithms } from "../protocol/dpop_proof.ts";
import { basePath } from "../protocol/issuer_url.ts";
import { memoryStore } from "../store/memory.ts";
import { parseDuration } from "../util/duration.ts";
import { once } from "../util/promises.ts";
import { addressesOf, hasCallbackPage } from "./addresses.ts";
import { checkConfig } from "./check_config.ts";
import type { Config } from "./config.ts";
import { configShape } from "./config_shape.ts";
import { defaultPolicies } from "./defaults.ts";
import { rotationOf } from "./key_rotation.ts";
import { fillLifetimes } from "./lifetimes.ts";
import { toClient } from "./make_client.ts";
import { openIdScopes } from "./openid_scopes.ts";
import { collectProblems } from "./problems.ts";
import { fillServer, type Profile } from "./profiles/profile.ts";
import { profileOf } from "./profiles/profiles.ts";
import { allowancesOf, registrationOf } from "./resolve_registration.ts";
import { resourceRule } from "./resource_config.ts";
import { capabilitiesOf } from "./server_capabilities.ts";
import type { Settings } from "./settings.ts";
import { toUser } from "./user_config.ts";

/** Fills in the defaults, or says everything that stands in the way. */
export function resolveConfig(given: Config, grantTypes: readonly string[]): Settings {
  const problems = collectProblems();
  configShape(given, "", problems.report);
  const profile = profileOf(given.profile);
  const config = fillServer(profile, given);
  const misshapen = problems.paths();
  const isSound = (path: string) => !misshapen.some((each) => each === "" || each.startsWith(path));
  checkConfig({ config, profile, grantTypes, isSound, report: problems.report });
  problems.throwAny("start the server");
  return fillIn(config, profile);
}

function fillIn(config: Config, profile: Profile): Settings {
  const { issuer, clients = [], users = [], alg = "RS256", defaultResource = issuer } = config;
  const capabilities = capabilitiesOf(config, profile);
  const idTokenAlg = idTokenAlgOf(profile, alg);
  const policies = { ...defaultPolicies, ...config.policies };
  return {
    ...addressesOf(config),
    base: basePath(issuer),
    profile,
    store: config.store ?? memoryStore(),
    clients: new Map(
      clients.map((client) => [client.id, once(() => toClient(client, capabilities))]),
    ),
    users: new Map(users.map((user) => [user.name, once(() => toUser(user))])),
    scopes: new Map(Object.entries(config.scopes ?? openIdScopes)),
    resources: resourceRule(config),
    defaultResource,
    authorizationDetails: config.authorizationDetails ?? {},
    policyUri: config.policyUri,
    tosUri: config.tosUri,
    serviceDocumentation: config.serviceDocumentation,
    grantTypes: capabilities.grantTypes,
    trustedIssuers: new Map((config.trustedIssuers ?? []).map((each) => [each.issuer, each])),
    requirePar: capabilities.requirePar,
    httpRedirectUris: capabilities.httpRedirectUris,
    registration: registrationOf(config),
    allowances: allowancesOf(config, capabilities),
    registrationsPerMinute: config.registrationsPerMinute ?? 60,
    documentsPerMinute: config.documentsPerMinute ?? 30,
    storedBytesPerMinute: config.storedBytesPerMinute ?? 1024 * 1024,
    clientMetadataDocuments: config.clientMetadataDocuments ?? false,
    errorsAfterSignIn: config.errorsAfterSignIn ?? false,
    hasCallbackPage: hasCallbackPage(config),
    privateFetches: config.insecure?.privateFetches ?? false,
    alg,
    idTokenAlg,
    dpopAlgs: config.dpopAlgs ??
      dpopAlgorithms.filter((each) => clientAlgorithms(profile.algs).includes(each)),
    dpopNonces: config.dpopNonces ?? false,
    idTokenAlgs: [
      ...new Set([idTokenAlg, alg, ...config.idTokenAlgs ?? [], ...clients.flatMap(algsOf)]),
    ]
      .filter((each) => profile.algs.includes(each)),
    keyRotation: rotationOf(config),
    acrValues: config.acrValues ?? [],
    lifetimes: fillLifetimes(config.lifetimes ?? {}),
    refreshTokens: config.refreshTokens ?? "rotate",
    refreshReuseGrace: parseDuration(config.refreshReuseGrace) ?? 0,
    secret: config.secret,
    policies,
    pages: { ...ourPages, ...config.pages },
    routes: config.routes ?? [],
    notice: config.notice,
    hints: config.hints ?? false,
    guessesPerMinute: config.guessesPerMinute ?? 60,
    trustedProxies: config.trustedProxies ?? [],
    fetch: config.fetch ?? ((url, init) => fetch(url, init)),
    fetchUntrusted: config.fetchUntrusted ?? noFetch,
    now: config.now ?? Date.now,
    randomBytes: config.randomBytes ?? ((count) => crypto.getRandomValues(new Uint8Array(count))),
    onEvent: config.onEvent ?? (() => {}),
  };
}

/**
 * RS256 is what a client expects that names no algorithm, of an ID token and of every other signed
 * response (OpenID Connect Registration, section 2; JARM, section 3; RFC 9701, section 6). A
 * profile may forbid it.
 */
function idTokenAlgOf({ algs }: Profile, alg: SigningAlgorithm): SigningAlgorithm {
  return algs.includes("RS256") ? "RS256" : alg;
}

/** What a client that the operator wrote down wants to be signed, and how. */
function algsOf(
  { idTokenAlg, userinfoAlg, introspectionAlg, authorizationResponseAlg }: ClientConfig,
): SigningAlgorithm[] {
  return [idTokenAlg, userinfoAlg, introspectionAlg, authorizationResponseAlg].filter((alg) =>
    alg !== undefined
  );
}
