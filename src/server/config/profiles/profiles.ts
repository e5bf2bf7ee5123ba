import { clientAuthenticationMethods } from "../../model/client_config.ts";
import { signingAlgorithms } from "../../model/signing.ts";
import { fapi2 } from "./fapi_2.ts";
import type { Profile } from "./profile.ts";

/** The default (OAuth 2.1). It adds nothing: the defaults of the server are strict. */
const oauth21: Profile = {
  name: "oauth-2.1",
  server: {},
  client: {},
  untrustedClient: {},
  untrustedClients: "standard scopes",
  registeredScope: "limit",
  algs: signingAlgorithms,
  authentication: clientAuthenticationMethods,
  serverRules: [],
  clientRules: [],
};

/** The scheme of an app on a device is no URI of this protocol, though others allow it. */
const isHttpUri = (uri: string) => /^https?:/i.test(uri);

/**
 * For servers of the Model Context Protocol: unknown clients are known by their metadata document,
 * name the server that they want to call, and listen on any port of the user's machine (Model
 * Context Protocol, 2026-07-28, Authorization). Registration is deprecated there, so it is off.
 */
const mcp: Profile = {
  name: "mcp",
  server: {
    clientMetadataDocuments: true,
    pkce: "required",
    idTokenClaims: "minimal",
    unknownScopes: "refuse",
  },
  client: {},
  untrustedClient: { redirectUriAtToken: "if-present" },
  untrustedClients: "everything",
  // The official SDKs register the scope of the first challenge alone, and then step up.
  registeredScope: "default",
  algs: signingAlgorithms,
  authentication: clientAuthenticationMethods,
  serverRules: [
    {
      path: "resources",
      requirement: "must name the servers that tokens are meant for",
      see: "Model Context Protocol, Authorization, section 'Resource Parameter Implementation'",
      holds: ({ resources = [] }) => resources.length > 0,
    },
    {
      path: "requirePar",
      requirement: "must be false, because the clients of this protocol push no requests,",
      see: "Model Context Protocol, Authorization, section 'Authorization Flow Steps'",
      holds: ({ requirePar = false }) => !requirePar,
    },
  ],
  clientRules: [
    {
      path: "redirectUris",
      requirement: "must use https, or http on loopback,",
      see: "Model Context Protocol, Authorization, section 'Communication Security'",
      holds: ({ redirectUris = [] }) => redirectUris.every(isHttpUri),
    },
  ],
};

const profiles: readonly Profile[] = [oauth21, fapi2, mcp];

export const profileNames: readonly string[] = profiles.map(({ name }) => name);

export function profileOf(name: unknown): Profile {
  return profiles.find((profile) => profile.name === name) ?? oauth21;
}
