import type { Context } from "../../../server/issuer/context.ts";
import type { Client } from "../../../server/model/client.ts";
import { isInteractiveGrant } from "../../../server/protocol/grant_types.ts";
import { parseUrl } from "../../../server/util/addresses/uri.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { scopesIn, widenStoredClient } from "../../lab_server/lab_scopes.ts";
import { parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { mcpPath } from "../../responses/places.ts";
import type { McpSetting } from "./config.ts";
import { findMcpServer } from "./find_mcp_server.ts";
import { scopesOf, type Toolset } from "./mcp_tool.ts";
import { mcpUrl } from "./util/mcp_place.ts";

/** Whether an authorization request is for the MCP server of the lab. */
export function isForMcp(request: WireRequest, { settings: { addresses } }: Context): boolean {
  if (request.endpoint !== "authorize" && request.endpoint !== "par") return false;
  const resource = parameterOf(request, "resource") ?? "";
  const url = resource.endsWith(mcpPath) ? parseUrl(resource) : undefined;
  return url !== undefined && mcpUrl(url, addresses) === resource;
}

/**
 * Lets a registered client ask for further scopes of the MCP server. Returns the client if that
 * made a difference.
 */
export async function admitStepUp(
  lab: CoreLab,
  request: WireRequest,
  toolset: Toolset,
): Promise<string | undefined> {
  const { client } = request;
  if (lab.settings.config<McpSetting>().mcpStepUp === false || client === undefined) {
    return undefined;
  }
  const requested = scopesIn(request);
  const offered = scopesOf(toolset).filter((token) => requested.includes(token));
  if (offered.length === 0 || findMcpServer(lab).url === undefined) return undefined;
  // Other clients of the store have the scopes that a test chose, and machines ask no user.
  const mayWiden = ({ registration, grantTypes }: Client) =>
    registration !== undefined && grantTypes.every(isInteractiveGrant);
  return await widenStoredClient(lab.context, client, offered, mayWiden) ? client : undefined;
}
