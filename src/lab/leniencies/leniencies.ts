import type { ClientConfig } from "../../server/features.ts";
import { isNativeUri } from "../../server/protocol/redirect_uri.ts";
import type { Dialect } from "../dialect/dialect.ts";
import type { ClientRequests } from "../dialect/request_settings.ts";
import type { SettingsCheck } from "../lab_server/check_lab_settings.ts";
import type { ClientDefaults, CoreLabConfig } from "../lab_server/core_lab_config.ts";
import type { CheckedFeature, LabLeniency } from "./leniency.ts";

/**
 * The leniencies of the lab besides those of its features, and whether each is on. Without `iss`, a
 * client cannot notice a mix-up of servers (RFC 9207); with another `typ`, an access token may pass
 * for an ID token (RFC 9068), and without `aud`, one for any API.
 */
const isOn: Readonly<
  Record<
    string,
    (settings: { clients: ClientDefaults; dialect: Dialect; requests: ClientRequests }) => unknown
  >
> = {
  "clientDefaults.pkce: optional": ({ clients }) => clients.pkce === "optional",
  "clientDefaults.redirectUriAtToken: if-present": ({ clients }) =>
    clients.redirectUriAtToken === "if-present",
  "clientDefaults.responseModes: fragment": ({ clients }) =>
    clients.responseModes?.includes("fragment"),
  "clientDefaults.assertionAudience: token-endpoint": ({ clients }) =>
    clients.assertionAudience === "token-endpoint",
  "dialect.authorizationResponse: no iss": ({ dialect }) =>
    dialect.authorizationResponse?.unset?.includes("iss"),
  "dialect.accessToken: another typ": ({ dialect }) => dialect.accessToken?.header,
  "dialect.accessToken: no aud": ({ dialect }) => dialect.accessToken?.unset?.includes("aud"),
  "dialect.clientRequests.responseType": ({ requests }) => requests.responseType !== undefined,
  "dialect.clientRequests.redirectUri: optional": ({ requests }) =>
    requests.redirectUri === "optional",
  "dialect.clientRequests.nonce: optional": ({ requests }) => requests.nonce === "optional",
  "dialect.clientRequests.json": ({ requests }) => requests.json,
  "dialect.clientRequests.queryForm": ({ requests }) => requests.queryForm,
  "dialect.clientRequests.grantType": ({ requests }) => requests.grantType !== undefined,
  "dialect.clientRequests.repeatedSecret": ({ requests }) => requests.repeatedSecret,
  "dialect.clientRequests.grantTypeSynonyms": ({ requests }) => requests.grantTypeSynonyms,
  "dialect.clientRequests.queryToken": ({ requests }) => requests.queryToken,
  "dialect.clientRequests.basicForms: id-alone": ({ requests }) =>
    requests.basicForms?.includes("id-alone"),
  "dialect.clientRequests.basicForms: colon": ({ requests }) =>
    requests.basicForms?.includes("colon"),
  "dialect.clientRequests.publicIntrospection": ({ requests }) => requests.publicIntrospection,
  "dialect.unknownScopes: ignore": ({ dialect }) => dialect.unknownScopes === "ignore",
  "dialect.clientSecretJwt: used again until it expires": ({ dialect }) => dialect.clientSecretJwt,
  "dialect.errors: errors with the status of a success": ({ dialect }) =>
    dialect.errors?.some(({ status = 400 }) => status < 400),
};

const ofLab: LabLeniency = {
  names({ clientDefaults: clients = {}, dialect = {} }) {
    const settings = { clients, dialect, requests: dialect.clientRequests ?? {} };
    return Object.keys(isOn).filter((name) => isOn[name]?.(settings));
  },
  clientDefaults: ({ clientDefaults }) => clientDefaults,
};

/** Returns the names of the leniencies that are on, as the report lists them. */
export function leniencyNames(
  config: CoreLabConfig,
  features: readonly CheckedFeature[],
): string[] {
  return leniencies(features).flatMap(({ names }) => names(config));
}

/** Returns what clients of a lab have that do not have their own settings. */
export function clientDefaultsOf(
  config: CoreLabConfig,
  features: readonly CheckedFeature[],
): ClientDefaults {
  const defaults = leniencies(features).map(({ clientDefaults }) => clientDefaults?.(config));
  return Object.assign({}, ...defaults);
}

/** Returns all checks of settings: those of features, and what the profile forbids. */
export function settingsChecks(features: readonly CheckedFeature[]): SettingsCheck[] {
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

function leniencies(features: readonly CheckedFeature[]): LabLeniency[] {
  return [...features.flatMap(({ leniency = [] }) => leniency), ofLab];
}

/** Returns the names of the leniencies that clients have because their owner configured them. */
export function clientLeniencyNames(clients: readonly ClientConfig[]): string[] {
  return clients.filter(usesHttp).map(({ id }) => `client ${id}: http redirect URIs`);
}

/** Whether a client receives responses over http from beyond this machine. */
export function usesHttp({ redirectUris = [] }: ClientConfig): boolean {
  return redirectUris.some((uri) => /^http:/i.test(uri) && !isNativeUri(uri));
}
