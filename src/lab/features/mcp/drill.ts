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
    ...refuse("rule", "resourceMetadata", ["resource_metadata.wrong_resource"]),
    ...accept("rule", "mcpDiscovery", ["resource_metadata.only_at_root"], ofProtocol),
    ...either("resourceServers", [
      "resource_metadata.two_servers",
      "resource_metadata.without_servers",
    ], { requirement: "resource_metadata.wrong_resource" }),
    ...refuse("rule", "metadataIssuer", ["metadata.wrong_issuer"], { reads: byAuthorization }),
    ...accept("rule", "mcpDiscovery", ["metadata.only_oauth", "metadata.only_openid"], ofProtocol),
    ...refuse("rule", "mcpPkce", ["metadata.without_pkce"], ofCallback),
    ...either("mcpRegistration", ["metadata.without_documents"], ofProtocol),
    ...accept("rule", "mcpRegistration", ["register.application_type"], ofProtocol),
    ...refuse("attack", "csrf", ["callback.wrong_state"], ofCallback),
    // Anyone can name a server to such a client, so it always has several.
    ...refuse("attack", "mcpIss", [
      "callback.wrong_iss",
      "callback.without_iss",
      "callback.iss_with_slash",
    ], ofCallback),
    ...accept("advice", "mcpScope", ["mcp.unlisted_scope"], ofProtocol),
    ...refuse("advice", "mcpStepUp", ["mcp.endless_step_up"], ofProtocol),
  ],
}];
