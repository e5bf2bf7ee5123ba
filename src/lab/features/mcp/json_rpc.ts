import { jsonResponse } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";

/** A request of JSON-RPC, or a notification, which has no id. */
export interface RpcMessage {
  id?: string | number | undefined;
  method: string;
  params: Record<string, unknown>;
}

/** The codes of errors (JSON-RPC 2.0, section 5.1; MCP 2026-07-28, section "Error Codes"). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** Why a message is refused. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** The status of the response. */
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, status = 400, data?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/**
 * Reads a message.
 *
 * @throws {RpcError} The text is not a single request or notification.
 */
export function readMessage(text: string): RpcMessage {
  const value = parseJson(text);
  if (value === undefined) throw new RpcError(rpcCodes.parseError, "The body is not JSON.");
  if (!isObject(value) || value.jsonrpc !== "2.0" || typeof value.method !== "string") {
    throw invalid("The body must be one JSON-RPC request or notification.");
  }
  const { id, method, params = {} } = value;
  if (!isObject(params)) throw invalid("The 'params' must be an object.");
  if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) {
    throw invalid("The 'id' must be a text or an integer.");
  }
  return { id: id as RpcMessage["id"], method, params };
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message);
}

export function resultResponse(id: RpcMessage["id"], result: unknown): ResponseData {
  return jsonResponse({ jsonrpc: "2.0", id, result });
}

/** An error of a message whose id could not be read has none. */
export function rpcErrorResponse(error: RpcError, id?: RpcMessage["id"]): ResponseData {
  const { code, message, data, status } = error;
  const body = { code, message, ...data !== undefined && { data } };
  return jsonResponse({ jsonrpc: "2.0", ...id !== undefined && { id }, error: body }, status);
}
