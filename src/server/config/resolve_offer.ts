import { openIdScopes } from "../model/claims.ts";
import { acceptedResourcesOf } from "./accepted_resources.ts";
import type { ImplementedParts } from "./check_config.ts";
import type { FilledConfig } from "./config_data.ts";
import { pathsOf } from "./endpoint_paths.ts";
import type { Offer } from "./offer.ts";
import type { Profile } from "./profiles/profile.ts";

/** Returns what a server offers to the clients that its operator trusts: everything it has. */
export function offerOf(
  config: FilledConfig,
  profile: Profile,
  { added, openGrants = [], httpClients }: ImplementedParts,
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
    openGrants,
    authorizationDetailsTypes: Object.keys(authorizationDetails),
    resources: "any",
    pkce: "required",
    assertionAudience: "issuer",
    audiences: [issuer, defaultResource, ...listed],
    endpoints: Object.keys(pathsOf(config, added)),
    requirePar: config.requirePar,
    httpRedirectUris: insecure?.httpRedirectUris ?? false,
    unownedRedirectUris: httpClients || insecure?.httpRedirectUris === true,
    addedSettings: added.clients.parts,
  };
}
