import type { VerifiedAccess } from "../../resource/protected_resource.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { NamedTool } from "./mcp_tool.ts";

/** Calls a tool. What it throws is for the model, which can try again (MCP, Tools). */
export async function callTool(
  tool: NamedTool,
  args: Record<string, unknown>,
  access: VerifiedAccess,
): Promise<unknown> {
  try {
    return toolResult(await tool.call(args, access));
  } catch (cause) {
    return { content: [textOf(messageOf(cause))], isError: true };
  }
}

function toolResult(value: unknown): unknown {
  if (isObject(value) && Array.isArray(value.content)) return value;
  if (!isObject(value)) {
    return { content: [textOf(typeof value === "string" ? value : JSON.stringify(value) ?? "")] };
  }
  // Clients of older revisions read the text alone.
  return { content: [textOf(JSON.stringify(value))], structuredContent: value };
}

function textOf(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}
