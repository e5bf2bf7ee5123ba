export type { McpFaultName } from "./faults.ts";
export type { LabMcpTools } from "./feature.ts";
export type { McpOptions, McpServer, McpTool } from "./mcp_tool.ts";
export type { McpFaultPlace } from "../../responses/places.ts";
export type { McpSetting } from "./config.ts";
