import { accept, type DrillVariant, either, refuse } from "../drill/variants/drill_variant.ts";

/**
 * What can go wrong between a client of the Model Context Protocol, the server that it has the URL
 * of, and the authorization server, and what the client must do with it.
 */
export const mcpVariants: readonly DrillVariant[] = [
  ...refuse("rule", "resourceMetadata", ["resource_metadata.wrong_resource"]),
  ...accept("rule", "mcpDiscovery", ["resource_metadata.only_at_root"]),
  ...either("resourceServers", [
    "resource_metadata.two_servers",
    "resource_metadata.without_servers",
  ]),
  ...refuse("rule", "metadataIssuer", ["metadata.wrong_issuer"]),
  ...accept("rule", "mcpDiscovery", ["metadata.only_oauth", "metadata.only_openid"]),
  ...refuse("rule", "mcpPkce", ["metadata.without_pkce"]),
  ...either("mcpRegistration", ["metadata.without_documents"]),
  ...accept("rule", "mcpRegistration", ["register.application_type"]),
  ...refuse("attack", "csrf", ["callback.wrong_state"]),
  // Anyone can name a server to such a client, so it always has several.
  ...refuse("attack", "mcpIss", [
    "callback.wrong_iss",
    "callback.without_iss",
    "callback.iss_with_slash",
  ]),
  ...accept("advice", "mcpScope", ["mcp.unlisted_scope"]),
  ...refuse("advice", "mcpStepUp", ["mcp.endless_step_up"]),
];
