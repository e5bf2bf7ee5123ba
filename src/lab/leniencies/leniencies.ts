import type { ClientConfig } from "../../server/features.ts";
import { isNativeUri } from "../../server/protocol/redirect_uri.ts";
import type { Dialect } from "../dialect/dialect.ts";
import type { FeatureRow } from "../feature_row.ts";
import type { SettingsCheck } from "../lab_server/check_lab_settings.ts";
import type { ClientDefaults, CoreLabConfig } from "../lab_server/core_lab_config.ts";
import type { LabLeniency } from "./leniency.ts";

/** The leniencies of the lab besides those of its features. */
const ofLab: readonly LabLeniency[] = [
  {
    names: ({ clientDefaults = {} }) => clientDefaultLeniencies(clientDefaults),
    clientDefaults: ({ clientDefaults }) => clientDefaults,
  },
  { names: ({ dialect = {} }) => dialectLeniencies(dialect) },
];

/** Returns the names of the leniencies that are on, as the report lists them. */
export function leniencyNames(config: CoreLabConfig, features: readonly FeatureRow[]): string[] {
  return leniencies(features).flatMap(({ names }) => names(config));
}

/** Returns what clients of a lab have that do not have their own settings. */
export function clientDefaultsOf(
  config: CoreLabConfig,
  features: readonly FeatureRow[],
): ClientDefaults {
  const defaults = leniencies(features).map(({ clientDefaults }) => clientDefaults?.(config));
  return Object.assign({}, ...defaults);
}

/** Returns all checks of settings: those of features, and what the profile forbids. */
export function settingsChecks(features: readonly FeatureRow[]): SettingsCheck[] {
  const checkProfile: SettingsCheck = (config, report) => {
    const { profile = "oauth-2.1" } = config;
    if (profile === "oauth-2.1") return;
    for (const leniency of leniencies(features)) leniency.checkProfile?.(config, profile, report);
  };
  const ofFeatures: SettingsCheck = (config, report) => {
    for (const feature of features) feature.checkSettings?.(config, report);
  };
  return [checkProfile, ofFeatures];
}

function leniencies(features: readonly FeatureRow[]): LabLeniency[] {
  return [...features.flatMap(({ leniency = [] }) => leniency), ...ofLab];
}

function clientDefaultLeniencies(
  { pkce, redirectUriAtToken, assertionAudience, responseModes = [] }: ClientDefaults,
): string[] {
  return [
    ...pkce === "optional" ? ["clientDefaults.pkce: optional"] : [],
    ...redirectUriAtToken === "if-present" ? ["clientDefaults.redirectUriAtToken: if-present"] : [],
    ...responseModes.includes("fragment") ? ["clientDefaults.responseModes: fragment"] : [],
    ...assertionAudience === "token-endpoint"
      ? ["clientDefaults.assertionAudience: token-endpoint"]
      : [],
  ];
}

/**
 * Without `iss`, a client cannot notice a mix-up of servers (RFC 9207); with another `typ`, an
 * access token may pass for an ID token (RFC 9068), and without `aud`, one for any API. Without a
 * confirmation, any page can sign users out.
 */
function dialectLeniencies(dialect: Dialect): string[] {
  const { authorizationResponse, accessToken, errors = [], unknownScopes } = dialect;
  const { clientRequests = {}, clientSecretJwt, logout } = dialect;
  const { basicForms = [] } = clientRequests;
  const hidesIssuer = authorizationResponse?.unset?.includes("iss") ?? false;
  const succeeds = errors.some(({ status = 400 }) => status < 400);
  return [
    ...hidesIssuer ? ["dialect.authorizationResponse: no iss"] : [],
    ...accessToken?.header ? ["dialect.accessToken: another typ"] : [],
    ...accessToken?.unset?.includes("aud") ? ["dialect.accessToken: no aud"] : [],
    ...clientRequests.responseType !== undefined ? ["dialect.clientRequests.responseType"] : [],
    ...clientRequests.redirectUri === "optional"
      ? ["dialect.clientRequests.redirectUri: optional"]
      : [],
    ...clientRequests.nonce === "optional" ? ["dialect.clientRequests.nonce: optional"] : [],
    ...clientRequests.json ? ["dialect.clientRequests.json"] : [],
    ...clientRequests.queryForm ? ["dialect.clientRequests.queryForm"] : [],
    ...clientRequests.grantType !== undefined ? ["dialect.clientRequests.grantType"] : [],
    ...clientRequests.repeatedSecret ? ["dialect.clientRequests.repeatedSecret"] : [],
    ...clientRequests.grantTypeSynonyms ? ["dialect.clientRequests.grantTypeSynonyms"] : [],
    ...clientRequests.queryToken ? ["dialect.clientRequests.queryToken"] : [],
    ...basicForms.map((form) => `dialect.clientRequests.basicForms: ${form}`),
    ...clientRequests.publicIntrospection ? ["dialect.clientRequests.publicIntrospection"] : [],
    ...unknownScopes === "ignore" ? ["dialect.unknownScopes: ignore"] : [],
    ...clientSecretJwt ? ["dialect.clientSecretJwt: used again until it expires"] : [],
    ...logout?.confirmation === "skip" ? ["dialect.logout.confirmation: skip"] : [],
    ...succeeds ? ["dialect.errors: errors with the status of a success"] : [],
  ];
}

/** Returns the names of the leniencies that clients have because their owner configured them. */
export function clientLeniencyNames(clients: readonly ClientConfig[]): string[] {
  return clients.filter(usesHttp).map(({ id }) => `client ${id}: http redirect URIs`);
}

/** Whether a client receives responses over http from beyond this machine. */
export function usesHttp({ redirectUris = [] }: ClientConfig): boolean {
  return redirectUris.some((uri) => /^http:/i.test(uri) && !isNativeUri(uri));
}
