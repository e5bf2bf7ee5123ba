import type { AcceptedResources } from "../model/access_rights.ts";
import { openIdScopes } from "../model/claims.ts";
import { acceptedResourcesOf } from "./accepted_resources.ts";
import type { CoreConfig } from "./config.ts";
import { pathsOf } from "./endpoint_paths.ts";
import type { FeatureConfig } from "./feature_config.ts";
import type { Profile } from "./profiles/profile.ts";
import type { FilledConfig, Settings } from "./settings.ts";

/** What the settings of a client are checked against. */
export interface ServerCapabilities {
  issuer: string;
  profile: Profile;
  scopes: readonly string[];
  defaultScope?: readonly string[] | undefined;
  grantTypes: readonly string[];
  authorizationDetailsTypes: readonly string[];
  /** The audiences of access tokens. No client can have one of them as its id. */
  audiences: readonly string[];
  /** The names of the endpoints, as in `paths`. */
  endpoints: readonly string[];
  requirePar: boolean;
  httpRedirectUris: boolean;
  /** Whether workloads get tokens without a client. */
  hasWorkloads: boolean;
}

/** Returns what a configuration offers to its clients. */
export function capabilitiesOf(
  config: FilledConfig,
  profile: Profile,
  { configs }: { configs: readonly FeatureConfig[] },
): ServerCapabilities {
  const { scopes = openIdScopes, authorizationDetails, insecure } = config;
  return {
    issuer: config.issuer,
    profile,
    scopes: Object.keys(scopes),
    defaultScope: config.defaultScope,
    grantTypes: config.grantTypes,
    authorizationDetailsTypes: Object.keys(authorizationDetails),
    audiences: audiencesOf(acceptedResourcesOf(config), config),
    endpoints: Object.keys(pathsOf(config, configs)),
    requirePar: config.requirePar,
    httpRedirectUris: insecure?.httpRedirectUris ?? false,
    hasWorkloads: config.workloadIssuers.length > 0,
  };
}

/** Returns what a server offers to the clients of its configuration. */
export function capabilitiesForConfigured(
  capabilities: ServerCapabilities,
  { httpClients }: { httpClients: boolean },
): ServerCapabilities {
  return { ...capabilities, httpRedirectUris: capabilities.httpRedirectUris || httpClients };
}

/** Returns what a running server offers to the clients that are added to it. */
export function capabilitiesOfSettings(settings: Settings): ServerCapabilities {
  const { issuer, profile, defaultScope, grantTypes, requirePar, httpRedirectUris } = settings;
  return {
    issuer,
    profile,
    scopes: [...settings.scopes.keys()],
    defaultScope,
    grantTypes,
    authorizationDetailsTypes: Object.keys(settings.authorizationDetails),
    audiences: audiencesOf(settings.resources, settings),
    endpoints: Object.keys(settings.paths),
    requirePar,
    httpRedirectUris,
    hasWorkloads: settings.workloadIssuers.size > 0,
  };
}

function audiencesOf(
  accepted: AcceptedResources,
  { issuer, defaultResource = issuer }: Pick<CoreConfig, "issuer" | "defaultResource">,
): string[] {
  const listed = accepted === "any" ? [] : accepted.only.map(({ uri }) => uri);
  return [issuer, defaultResource, ...listed];
}
