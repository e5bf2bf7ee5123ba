import { openIdScopes } from "../model/claims.ts";
import { isInteractiveGrant, jwtBearerGrantType } from "../protocol/grant_types.ts";
import { fillDefaults } from "../util/values/defaults.ts";
import { acceptedResourcesOf } from "./accepted_resources.ts";
import type { ImplementedParts } from "./check_config.ts";
import type { FilledConfig } from "./config_defaults.ts";
import { pathsOf } from "./endpoint_paths.ts";
import { partsOf } from "./feature_config.ts";
import type { Offer, OfferedAccess, Offers } from "./offer.ts";
import type { Profile } from "./profiles/profile.ts";
import type { AllowConfig } from "./registration_config.ts";
import { policyOf } from "./resolve_registration.ts";

/**
 * Computes what a server offers. `openGrants` are the grants without a user that untrusted clients
 * may have, if they are listed.
 */
export function offersOf(
  config: FilledConfig,
  profile: Profile,
  { configs, openGrants = [] }: Pick<ImplementedParts, "configs" | "openGrants">,
): Offers {
  const { pkce, assertionAudience, allow = {} } = policyOf(config);
  const { grantTypes } = config;
  const trusted = { ...wholeOffer(config, profile, configs), pkce, assertionAudience };
  const isOpen = (type: string) => isInteractiveGrant(type) || openGrants.includes(type);
  const untrusted: Offer = {
    ...trusted,
    ...accessOf(config, trusted, fillAllow(allow, profile.untrustedClients)),
    level: "untrusted",
    pkce: "required",
    assertionAudience: "issuer",
    // Otherwise anyone would get tokens without any user's consent.
    grantTypes: grantTypes.filter(allow.grantTypes ? isOpen : isInteractiveGrant).filter(
      isAllowed(allow),
    ),
  };
  return {
    trusted,
    admitted: {
      ...trusted,
      ...accessOf(config, trusted, fillAllow(allow, "everything")),
      level: "admitted",
      grantTypes: grantTypes.filter(isAllowed(allow)),
    },
    untrusted,
    listed: {
      ...untrusted,
      grantTypes: grantTypes.filter((type) =>
        type === jwtBearerGrantType || untrusted.grantTypes.includes(type)
      ),
    },
  };
}

/** Returns everything that a configuration has. */
function wholeOffer(
  config: FilledConfig,
  profile: Profile,
  configs: ImplementedParts["configs"],
): Offer {
  const { issuer, scopes = openIdScopes, authorizationDetails, insecure } = config;
  const { defaultResource = issuer } = config;
  const accepted = acceptedResourcesOf(config);
  const listed = accepted === "any" ? [] : accepted.only.map(({ uri }) => uri);
  return {
    level: "trusted",
    issuer,
    profile,
    scopes: Object.keys(scopes),
    defaultScope: config.defaultScope,
    grantTypes: config.grantTypes,
    authorizationDetailsTypes: Object.keys(authorizationDetails),
    resources: "any",
    pkce: "required",
    assertionAudience: "issuer",
    audiences: [issuer, defaultResource, ...listed],
    endpoints: Object.keys(pathsOf(config, configs)),
    requirePar: config.requirePar,
    httpRedirectUris: insecure?.httpRedirectUris ?? false,
    hasWorkloads: config.workloadIssuers.length > 0,
    addedSettings: partsOf("clients", configs),
  };
}

function isAllowed({ grantTypes }: AllowConfig): (type: string) => boolean {
  return (type) => grantTypes?.includes(type) ?? true;
}

function fillAllow(allow: AllowConfig, byDefault: Profile["untrustedClients"]): AllowConfig {
  if (byDefault === "standard scopes") return allow;
  const everything = { scopes: "any", resources: "any", authorizationDetailsTypes: "any" } as const;
  return fillDefaults<AllowConfig, typeof everything>(everything, allow);
}

function accessOf(
  { issuer, defaultResource = issuer }: FilledConfig,
  whole: OfferedAccess,
  allow: AllowConfig,
): OfferedAccess {
  const standardScopes = whole.scopes.filter((scope) => Object.hasOwn(openIdScopes, scope));
  const { scopes = standardScopes, resources = [], authorizationDetailsTypes = [] } = allow;
  return {
    scopes: scopes === "any" ? whole.scopes : scopes,
    // A token that names no resource is for the default one, and with `openid` for the issuer.
    resources: resources === "any" ? "any" : [...new Set([defaultResource, issuer, ...resources])],
    authorizationDetailsTypes: authorizationDetailsTypes === "any"
      ? whole.authorizationDetailsTypes
      : authorizationDetailsTypes,
  };
}
