import type { VerifiedAccess } from "../../../resource/protected_resource.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { isObject } from "../../../server/util/text/json.ts";
import {
  legacyVersions,
  type ProtocolEra,
  rpcCodes,
  RpcError,
  type RpcMessage,
  supportedVersions,
} from "./mcp_protocol.ts";
import type { NamedTool } from "./mcp_tool.ts";

/** A message of a client whose access token was accepted. */
export interface McpCall {
  message: RpcMessage;
  tools: readonly NamedTool[];
  access: VerifiedAccess;
}

type McpMethod = (call: McpCall) => unknown;

const serverInfo = { name: "hallpass-lab", title: "Hallpass lab", version: "1.0.0" };
const instructions = "A server for tests of MCP clients. Its tools change nothing.";
const capabilities = { tools: {} };

/** Tools may change at any time, and the results depend on who asks. */
const caching = { ttlMs: 0, cacheScope: "private" };

const methods: Readonly<Record<ProtocolEra, Readonly<Record<string, McpMethod>>>> = {
  legacy: {
    initialize: ({ message }) => ({
      protocolVersion: negotiate(message.params.protocolVersion),
      capabilities,
      serverInfo,
      instructions,
    }),
    ping: () => ({}),
    "tools/list": ({ tools }) => ({ tools: tools.map(describeTool) }),
    "tools/call": runTool,
  },
  modern: {
    "server/discover": () => ({ supportedVersions, capabilities, instructions, ...caching }),
    "tools/list": ({ tools }) => ({ tools: tools.map(describeTool), ...caching }),
    "tools/call": runTool,
  },
};

/**
 * Returns the result of a request.
 *
 * @throws {RpcError} There is no such method, or its parameters are invalid.
 */
export async function runMethod(era: ProtocolEra, call: McpCall): Promise<unknown> {
  const { method } = call.message;
  const known = methods[era];
  if (!Object.hasOwn(known, method)) {
    const status = era === "modern" ? 404 : 200;
    const message = `Method not found: '${method}'. Methods: ${Object.keys(known).join(", ")}.`;
    throw new RpcError(rpcCodes.methodNotFound, message, status);
  }
  const result = await known[method]?.(call);
  return era === "legacy" ? result : {
    resultType: "complete",
    ...Object(result),
    _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
  };
}

/** A server answers with another revision if it does not know the requested one. */
function negotiate(requested: unknown): string | undefined {
  return legacyVersions.find((version) => version === requested) ?? legacyVersions[0];
}

function describeTool({ name, description, inputSchema = { type: "object" } }: NamedTool): unknown {
  return { name, ...description !== undefined && { description }, inputSchema };
}

/** Returns the tool that a message calls, if it calls a known one. */
export function findCalledTool(
  { method, params }: RpcMessage,
  tools: readonly NamedTool[],
): NamedTool | undefined {
  return method === "tools/call" ? tools.find(({ name }) => name === params.name) : undefined;
}

async function runTool({ message, tools, access }: McpCall): Promise<unknown> {
  const tool = findCalledTool(message, tools);
  const { name, arguments: args = {} } = message.params;
  if (!tool) {
    const known = tools.map((each) => each.name).join(", ");
    throw invalidParams(`Unknown tool: '${String(name)}'. Tools: ${known}.`);
  }
  if (!isObject(args)) throw invalidParams("The 'arguments' must be an object.");
  return await callTool(tool, args, access);
}

/** A refusal of a well-formed request is a response of the protocol: the status is that of success. */
function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message, 200);
}

/** Calls a tool. What it throws is for the model, which can try again (MCP, Tools). */
async function callTool(
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
