import type { ProtectedResource, VerifiedAccess } from "../../../resource/protected_resource.ts";
import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import { jsonResponse } from "../../../server/http/response.ts";
import { type ResponseData, toResponseData } from "../../../server/http/response_data.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { isObject } from "../../../server/util/text/json.ts";
import {
  eraOf,
  readRequestMessage,
  rpcCodes,
  RpcError,
  type RpcMessage,
} from "../../rpc/rpc_message.ts";
import {
  findCalledTool,
  requireCalledTool,
  type RpcServer,
  runMethod,
  textContent,
} from "../../rpc/rpc_methods.ts";
import { checkAccept, rpcErrorResponse, rpcResult } from "../../rpc/rpc_response.ts";
import type { NamedTool } from "./mcp_tool.ts";

/** What clients of the Model Context Protocol are tested with. */
const testedServer: RpcServer<McpCall> = {
  info: { name: "hallpass-lab", title: "Hallpass lab", version: "1.0.0" },
  instructions: "A server for tests of MCP clients. Its tools change nothing.",
  capabilities: { tools: {} },
  methods: {
    "tools/list": ({ tools }) => ({ tools: tools.map(describeTool) }),
    "tools/call": runTool,
  },
};

/** An MCP server, behind a resource that accepts access tokens. */
export interface McpEndpoint {
  resource: ProtectedResource;
  tools: readonly NamedTool[];
}

/** A message, or why it cannot be read. */
type ReadBody = { message: RpcMessage } | { problem: RpcError };

/**
 * Responds as a server without sessions does (MCP, Streamable HTTP). Without a valid token, a
 * client learns nothing but how to get one: not even that its message is malformed.
 */
export async function respondToMcp(
  { resource, tools }: McpEndpoint,
  request: IncomingRequest,
): Promise<ResponseData> {
  if (request.method !== "POST") {
    // There are neither sessions to end nor streams to open.
    const error = new RpcError(rpcCodes.invalidRequest, "This URL supports POST only.", 405);
    const { status, headers, body } = rpcErrorResponse(error);
    return { status, headers: [...headers, ["Allow", "POST"]], body };
  }
  const read = await readBody(request);
  const tool = "message" in read ? findCalledTool(read.message, tools) : undefined;
  const access = await resource.require(await request.toRequest(), {
    ...tool?.scope && tool.scope.length > 0 && { scope: tool.scope },
    maxAge: tool?.maxAge,
  });
  if (access instanceof Response) return toResponseData(access);
  if ("problem" in read) return rpcErrorResponse(read.problem);
  const { message } = read;
  try {
    const era = eraOf(request, message);
    if (message.id === undefined) return { status: 202, headers: [], body: null };
    const result = await runMethod(testedServer, era, { message, tools, access });
    return jsonResponse(rpcResult(message.id, result));
  } catch (cause) {
    if (!(cause instanceof RpcError)) throw cause;
    // A notification gets no message, not even if it is refused (JSON-RPC 2.0, section 4.1).
    if (message.id === undefined) return { status: cause.status, headers: [], body: null };
    return rpcErrorResponse(cause, message.id);
  }
}

async function readBody(request: IncomingRequest): Promise<ReadBody> {
  try {
    checkAccept(request.headers.get("Accept") ?? "");
    return { message: await readRequestMessage(request) };
  } catch (cause) {
    if (cause instanceof RpcError) return { problem: cause };
    throw cause;
  }
}

/** Refuses a request that a web page may have caused a browser to send. */
export function foreignResponse(description: string): ResponseData {
  const error = { code: rpcCodes.invalidRequest, message: description };
  return jsonResponse({ jsonrpc: "2.0", id: null, error }, 403);
}

/** A message of a client whose access token was accepted. */
interface McpCall {
  message: RpcMessage;
  tools: readonly NamedTool[];
  access: VerifiedAccess;
}

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
