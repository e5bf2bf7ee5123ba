import { isObject } from "../../server/util/text/json.ts";
import {
  legacyVersions,
  type ProtocolEra,
  rpcCodes,
  RpcError,
  type RpcMessage,
  supportedVersions,
} from "./rpc_message.ts";

/** Returns the result of a request. */
export type RpcMethod<Call> = (call: Call) => unknown;

/** A server of the Model Context Protocol: what it says about itself, and what it can do. */
export interface RpcServer<Call> {
  info: { name: string; title: string; version: string };
  instructions: string;
  capabilities: Readonly<Record<string, object>>;
  /** Its methods besides those that every server has. */
  methods: Readonly<Record<string, RpcMethod<Call>>>;
}

/** What a server offers may change at any time, and depends on who asks. */
const caching = { ttlMs: 0, cacheScope: "private" };

/** The methods whose results say how long they may be kept (MCP 2026-07-28, Caching). */
const cacheable = /\/(?:list|read|discover)$/;

/**
 * Returns the result of a request.
 *
 * @throws {RpcError} There is no such method, or its parameters are invalid.
 */
export async function runMethod<Call extends { message: RpcMessage }>(
  server: RpcServer<Call>,
  era: ProtocolEra,
  call: Call,
): Promise<unknown> {
  const { method } = call.message;
  const known = methodsOf(server, era);
  const run = Object.hasOwn(known, method) ? known[method] : undefined;
  if (!run) {
    const status = era === "modern" ? 404 : 200;
    const message = `Method not found: '${method}'. Methods: ${Object.keys(known).join(", ")}.`;
    throw new RpcError(rpcCodes.methodNotFound, message, status);
  }
  const result = await run(call);
  return era === "legacy" ? result : {
    resultType: "complete",
    ...Object(result),
    ...cacheable.test(method) && caching,
    _meta: { "io.modelcontextprotocol/serverInfo": server.info },
  };
}

function methodsOf<Call extends { message: RpcMessage }>(
  { info, instructions, capabilities, methods }: RpcServer<Call>,
  era: ProtocolEra,
): Record<string, RpcMethod<Call>> {
  if (era === "modern") {
    return {
      "server/discover": () => ({ supportedVersions, capabilities, instructions }),
      ...methods,
    };
  }
  return {
    initialize: ({ message: { params } }) => ({
      // A server answers with another revision if it does not know the requested one.
      protocolVersion: legacyVersions.find((version) => version === params.protocolVersion) ??
        legacyVersions[0],
      capabilities,
      serverInfo: info,
      instructions,
    }),
    ping: () => ({}),
    ...methods,
  };
}

export function findCalledTool<Tool extends { name: string }>(
  { method, params }: RpcMessage,
  tools: readonly Tool[],
): Tool | undefined {
  return method === "tools/call" ? tools.find(({ name }) => name === params.name) : undefined;
}

/**
 * Returns the tool that a message calls, and its arguments.
 *
 * @throws {RpcError} There is no such tool, or the arguments are no object.
 */
export function requireCalledTool<Tool extends { name: string }>(
  message: RpcMessage,
  tools: readonly Tool[],
): { tool: Tool; args: Record<string, unknown> } {
  const tool = findCalledTool(message, tools);
  const { name, arguments: args = {} } = message.params;
  if (!tool) {
    const known = tools.map((each) => each.name).join(", ");
    throw invalidParams(`Unknown tool: '${String(name)}'. Tools: ${known}.`);
  }
  if (!isObject(args)) throw invalidParams("The 'arguments' must be an object.");
  return { tool, args };
}

/** A refusal of a well-formed request is a response of the protocol: the status is that of success. */
export function invalidParams(message: string, data?: object): RpcError {
  return new RpcError(rpcCodes.invalidParams, message, 200, data);
}

export function textContent(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}
