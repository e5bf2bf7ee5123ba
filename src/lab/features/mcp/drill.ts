import { byAuthorization } from "../drill/variants/readers.ts";
import { accept, either, type FeatureRows, refuse } from "../drill/variants/rows.ts";

const ofProtocol = { requirement: "mcp.protocol" } as const;
const ofCallback = { requirement: "mcp.callback" } as const;

/**
 * What can go wrong between a client of the Model Context Protocol, the server that it has the URL
 * of, and the authorization server, and what the client must do with it.
 */
export const mcpRows: readonly FeatureRows[] = [{
  of: "mcp",
  rows: [
    ...refuse("must", "resourceMetadata", ["resource_metadata.wrong_resource"]),
    ...accept("must", "mcpDiscovery", ["resource_metadata.only_at_root"], ofProtocol),
    ...either("resourceServers", [
      "resource_metadata.two_servers",
      "resource_metadata.without_servers",
    ], { requirement: "resource_metadata.wrong_resource" }),
    ...refuse("must", "metadataIssuer", ["metadata.wrong_issuer"], { reads: byAuthorization }),
    ...accept("must", "mcpDiscovery", ["metadata.only_oauth", "metadata.only_openid"], ofProtocol),
    ...refuse("must", "mcpPkce", ["metadata.without_pkce"], ofCallback),
    ...either("mcpRegistration", ["metadata.without_documents"], ofProtocol),
    ...accept("must", "mcpRegistration", ["register.application_type"], ofProtocol),
    ...refuse("must", "csrf", ["callback.wrong_state"], ofCallback),
    // Anyone can name a server to such a client, so it always has several.
    ...refuse("must", "mcpIss", [
      "callback.wrong_iss",
      "callback.without_iss",
      "callback.iss_with_slash",
    ], ofCallback),
    ...accept("should", "mcpScope", ["mcp.unlisted_scope"], ofProtocol),
    ...refuse("should", "mcpStepUp", ["mcp.endless_step_up"], ofProtocol),
  ],
}];
