import type { DrillVariant } from "../drill/variants/drill_variant.ts";

const discovery = "MCP 2026-07-28, Authorization Server Discovery";
const issValidation = "MCP 2026-07-28, Authorization Response Validation (SEP-2468)";
const pkce = "MCP 2026-07-28, Authorization Code Protection";
const registration = "MCP 2026-07-28, Dynamic Client Registration";
const scopeSelection = "MCP 2026-07-28, Scope Selection Strategy";

/**
 * What can go wrong between a client of the Model Context Protocol, the server that it has the URL
 * of, and the authorization server, and what the client must do with it.
 */
export const mcpVariants: readonly DrillVariant[] = [
  {
    fault: "resource_metadata.wrong_resource",
    expectation: "refuse",
    see: "RFC 9728, section 3.3",
  },
  {
    fault: "resource_metadata.only_at_root",
    expectation: "accept",
    see: `${discovery} (SEP-985)`,
  },
  { fault: "resource_metadata.two_servers", expectation: "either", see: "RFC 9728, section 7.6" },
  { fault: "resource_metadata.without_servers", expectation: "either", see: discovery },
  { fault: "metadata.wrong_issuer", expectation: "refuse", see: "RFC 8414, section 3.3" },
  { fault: "metadata.only_oauth", expectation: "accept", see: discovery },
  { fault: "metadata.only_openid", expectation: "accept", see: discovery },
  { fault: "metadata.without_pkce", expectation: "refuse", see: pkce },
  { fault: "metadata.without_documents", expectation: "either", see: registration },
  {
    fault: "register.application_type",
    expectation: "accept",
    see: `${registration} (SEP-837)`,
  },
  { fault: "callback.wrong_state", expectation: "refuse", see: "RFC 9700, section 4.7.1" },
  { fault: "callback.wrong_iss", expectation: "refuse", see: issValidation },
  { fault: "callback.without_iss", expectation: "refuse", see: issValidation },
  { fault: "callback.iss_with_slash", expectation: "refuse", see: issValidation },
  { fault: "mcp.unlisted_scope", expectation: "accept", see: scopeSelection },
  {
    fault: "mcp.endless_step_up",
    expectation: "refuse",
    see: "MCP 2026-07-28, Step-Up Authorization Flow (SEP-2350)",
  },
];
