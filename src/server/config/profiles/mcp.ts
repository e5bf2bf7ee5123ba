import { clientAuthenticationMethods } from "../../model/client_config.ts";
import { signingAlgorithms } from "../../model/signing.ts";
import type { Profile } from "./profile.ts";

/**
 * For servers of the Model Context Protocol: unknown clients register themselves, name the server
 * that they want to call, and listen on any port of the user's machine (Model Context Protocol,
 * 2025-11-25, Authorization).
 */
export const mcp: Profile = {
  name: "mcp",
  server: { registration: "open", clientMetadataDocuments: true },
  client: {},
  untrustedClient: { redirectUriAtToken: "if-present" },
  untrustedClients: "everything",
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
  clientRules: [],
};
