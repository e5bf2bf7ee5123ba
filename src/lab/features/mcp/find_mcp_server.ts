import { issuerUrl } from "../../../server/protocol/issuer_url.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { mcpPath } from "../../responses/places.ts";
import { mcpProblem } from "./util/mcp_place.ts";

export function findMcpServer(lab: CoreLab): { url?: string; problem?: string } {
  const problem = problemOf(lab);
  return problem === undefined ? { url: issuerUrl(lab.issuer, mcpPath) } : { problem };
}

/** Returns why a lab has no MCP server, or undefined. */
function problemOf({ settings, tenants, issuer, context }: CoreLab): string | undefined {
  if (settings.config().dialect) return "a lab with a dialect speaks as its provider does";
  if (tenants.ofUrl(new URL(issuerUrl(issuer, mcpPath)))) {
    return `a tenant has the path '${mcpPath}'`;
  }
  return mcpProblem(context.settings);
}
