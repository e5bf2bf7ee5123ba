import type { VerifiedAccess } from "../../../resource/protected_resource.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { RpcMessage } from "../../rpc/rpc_message.ts";
import { requireCalledTool, type RpcServer, textContent } from "../../rpc/rpc_methods.ts";
import type { NamedTool } from "./mcp_tool.ts";

/** A message of a client whose access token was accepted. */
export interface McpCall {
  message: RpcMessage;
  tools: readonly NamedTool[];
  access: VerifiedAccess;
}

/** What clients of the Model Context Protocol are tested with. */
export const testedServer: RpcServer<McpCall> = {
  info: { name: "hallpass-lab", title: "Hallpass lab", version: "1.0.0" },
  instructions: "A server for tests of MCP clients. Its tools change nothing.",
  capabilities: { tools: {} },
  methods: {
    "tools/list": ({ tools }) => ({ tools: tools.map(describeTool) }),
    "tools/call": runTool,
  },
};

function describeTool({ name, description, inputSchema = { type: "object" } }: NamedTool): unknown {
  return { name, ...description !== undefined && { description }, inputSchema };
}

/** Calls a tool. What it throws is for the model, which can try again (MCP, Tools). */
async function runTool({ message, tools, access }: McpCall): Promise<unknown> {
  const { tool, args } = requireCalledTool(message, tools);
  try {
    return toolResult(await tool.call(args, access));
  } catch (cause) {
    return { content: [textContent(messageOf(cause))], isError: true };
  }
}

function toolResult(value: unknown): unknown {
  if (isObject(value) && Array.isArray(value.content)) return value;
  if (!isObject(value)) {
    const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
    return { content: [textContent(text)] };
  }
  // Clients of older revisions read the text alone.
  return { content: [textContent(JSON.stringify(value))], structuredContent: value };
}
