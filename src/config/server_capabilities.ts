import { openIdScopes } from "../model/claims.ts";
import { configDefaults } from "./config_defaults.ts";
import type { Profile } from "./profiles/profile.ts";
import type { FilledConfig, Settings } from "./settings.ts";

/** What the settings of a client are checked against. */
export interface ServerCapabilities {
  profile: Profile;
  scopes: readonly string[];
  grantTypes: readonly string[];
  authorizationDetailsTypes: readonly string[];
  requirePar: boolean;
  httpRedirectUris: boolean;
}

/**
 * Returns what a configuration offers to its clients. A malformed setting counts as its default
 * here; its own check reports it.
 */
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
    authorizationDetailsTypes: isWellFormed("authorizationDetails")
      ? Object.keys(authorizationDetails)
      : [],
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
    authorizationDetailsTypes: Object.keys(settings.authorizationDetails),
    requirePar,
    httpRedirectUris,
  };
}
