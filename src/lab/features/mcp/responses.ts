import { resourceMetadataPath } from "../../../resource/resource_metadata.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { mcpPath } from "./util/mcp_place.ts";

/** What a client of the Model Context Protocol asks before it has a token. */
export type McpFaultPlace = "mcp" | "resource_metadata";

/** Whether a request goes to the MCP server, or is for the metadata of an API (RFC 9728). */
export const mcpPlaces: Readonly<Record<McpFaultPlace, (request: WireRequest) => boolean>> = {
  mcp: ({ path, endpoint }) => endpoint === undefined && path === mcpPath,
  resource_metadata: ({ path, endpoint }) =>
    endpoint === undefined && path.startsWith(resourceMetadataPath),
};
