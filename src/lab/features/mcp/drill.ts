import { accept, type DrillVariant, either, refuse } from "../drill/variants/drill_variant.ts";
import { ofResponses } from "../drill/variants/sentences.ts";

const protectedResource = {
  see: "RFC 9728, section 3.3",
  why: "If these values are not identical, the data contained in the response MUST NOT be used.",
  binds: "client",
} as const;

const discovery = {
  see: "MCP 2026-07-28, Authorization Server Discovery (SEP-985)",
  why: "MCP clients MUST attempt multiple well-known endpoints when discovering authorization " +
    "server metadata.",
  binds: "client",
} as const;

const choice = {
  see: "RFC 9728, section 7.6",
  why: "The client decides which authorization server it uses.",
  binds: "client",
} as const;

const issValidation = {
  see: "MCP 2026-07-28, Authorization Response Validation (SEP-2468)",
  why:
    "On receiving the authorization response, MCP clients MUST apply the validation in RFC9207 " +
    "Section 2.4 before transmitting the authorization code to any token endpoint.",
  binds: "client",
} as const;

const pkce = {
  see: "MCP 2026-07-28, Authorization Code Protection",
  why: "If code_challenge_methods_supported is absent, the authorization server does not support " +
    "PKCE and MCP clients MUST refuse to proceed.",
  binds: "client",
} as const;

const registration = {
  see: "MCP 2026-07-28, Dynamic Client Registration (SEP-837)",
  why: "MCP clients MUST specify an appropriate application_type during Dynamic Client " +
    "Registration.",
  binds: "client",
} as const;

const scopeSelection = {
  see: "MCP 2026-07-28, Scope Selection Strategy",
  why: "Use scope parameter from the initial WWW-Authenticate header in the 401 response, if " +
    "provided.",
  binds: "client",
} as const;

const stepUp = {
  see: "MCP 2026-07-28, Step-Up Authorization Flow (SEP-2350)",
  why: "Clients SHOULD implement retry limits and SHOULD track scope upgrade attempts to avoid " +
    "repeated failures for the same resource and operation combination.",
  binds: "client",
} as const;

/**
 * What can go wrong between a client of the Model Context Protocol, the server that it has the URL
 * of, and the authorization server, and what the client must do with it.
 */
export const mcpVariants: readonly DrillVariant[] = [
  ...refuse("rule", protectedResource, ["resource_metadata.wrong_resource"]),
  ...accept("rule", discovery, ["resource_metadata.only_at_root"]),
  ...either(choice, ["resource_metadata.two_servers", "resource_metadata.without_servers"]),
  ...refuse("rule", ofResponses.issuer, ["metadata.wrong_issuer"]),
  ...accept("rule", discovery, ["metadata.only_oauth", "metadata.only_openid"]),
  ...refuse("rule", pkce, ["metadata.without_pkce"]),
  ...either(registration, ["metadata.without_documents"]),
  ...accept("rule", registration, ["register.application_type"]),
  ...refuse("attack", ofResponses.csrf, ["callback.wrong_state"]),
  // Anyone can name a server to such a client, so it always has several.
  ...refuse("attack", issValidation, [
    "callback.wrong_iss",
    "callback.without_iss",
    "callback.iss_with_slash",
  ]),
  ...accept("advice", scopeSelection, ["mcp.unlisted_scope"]),
  ...refuse("advice", stepUp, ["mcp.endless_step_up"]),
];
