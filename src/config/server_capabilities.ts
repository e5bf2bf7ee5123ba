import type { Config } from "./config.ts";
import { defaultGrantTypes } from "./defaults.ts";
import { openIdScopes } from "./openid_scopes.ts";
import type { Profile } from "./profiles/profile.ts";
import type { Settings } from "./settings.ts";

/** What of the server a client's configuration refers to. */
export interface ServerCapabilities {
  profile: Profile;
  scopes: readonly string[];
  grantTypes: readonly string[];
  /** The types of authorization details. */
  detailTypes: readonly string[];
  requirePar: boolean;
  httpRedirectUris: boolean;
}

/** What a configuration offers to its clients, as far as it has the right shape. */
export function capabilitiesOf(
  config: Config,
  profile: Profile,
  isSound = (_path: string) => true,
): ServerCapabilities {
  return {
    profile,
    scopes: Object.keys(isSound("scopes") && config.scopes || openIdScopes),
    grantTypes: isSound("grantTypes") && config.grantTypes || defaultGrantTypes,
    detailTypes: Object.keys(isSound("authorizationDetails") && config.authorizationDetails || {}),
    requirePar: config.requirePar ?? false,
    httpRedirectUris: config.insecure?.httpRedirectUris ?? false,
  };
}

/** What a running server offers to the clients that are added to it. */
export function capabilitiesOfSettings(settings: Settings): ServerCapabilities {
  const { profile, scopes, authorizationDetails, grantTypes, requirePar, httpRedirectUris } =
    settings;
  const detailTypes = Object.keys(authorizationDetails);
  return {
    profile,
    scopes: [...scopes.keys()],
    detailTypes,
    grantTypes,
    requirePar,
    httpRedirectUris,
  };
}
