import { openIdScopes } from "../model/claims.ts";
import { configDefaults } from "./config_defaults.ts";
import type { Profile } from "./profiles/profile.ts";
import type { FilledConfig, Settings } from "./settings.ts";

/** What the settings of a client can refer to. */
export interface ServerCapabilities {
  profile: Profile;
  scopes: readonly string[];
  grantTypes: readonly string[];
  /** The types of authorization details. */
  detailTypes: readonly string[];
  requirePar: boolean;
  httpRedirectUris: boolean;
}

/** Returns what a configuration offers to its clients. The defaults replace malformed settings. */
export function capabilitiesOf(
  config: FilledConfig,
  profile: Profile,
  isWellFormed: (path: string) => boolean = () => true,
): ServerCapabilities {
  const { scopes = openIdScopes, grantTypes, authorizationDetails, insecure } = config;
  return {
    profile,
    scopes: Object.keys(isWellFormed("scopes") ? scopes : openIdScopes),
    grantTypes: isWellFormed("grantTypes") ? grantTypes : configDefaults.grantTypes,
    detailTypes: isWellFormed("authorizationDetails") ? Object.keys(authorizationDetails) : [],
    requirePar: config.requirePar,
    httpRedirectUris: insecure?.httpRedirectUris ?? false,
  };
}

/** Returns what a running server offers to the clients that are added to it. */
export function capabilitiesOfSettings(settings: Settings): ServerCapabilities {
  const { profile, grantTypes, requirePar, httpRedirectUris } = settings;
  return {
    profile,
    scopes: [...settings.scopes.keys()],
    grantTypes,
    detailTypes: Object.keys(settings.authorizationDetails),
    requirePar,
    httpRedirectUris,
  };
}
