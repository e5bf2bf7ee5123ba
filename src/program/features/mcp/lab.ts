import { findMcpServer } from "../../../lab/features/mcp/find_mcp_server.ts";
import type { Lab } from "../../../lab/lab.ts";
import { labeled, linked } from "../../operate/greeting_lines.ts";
import type { Colors } from "../../terminal/color.ts";

/** A lab without an MCP server says why, unless it plays a provider, which has none. */
export function mcpLines(lab: Lab, colors: Colors): string[] {
  const { url, problem } = findMcpServer(lab);
  if (url !== undefined) return [linked("MCP", url, colors)];
  return lab.settings.config().dialect ? [] : [labeled("MCP", `off: ${problem}`, colors)];
}
