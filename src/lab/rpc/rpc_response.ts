import { jsonResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import { rpcCodes, RpcError, type RpcMessage } from "./rpc_message.ts";

export function rpcResult(id: RpcMessage["id"], result: unknown): object {
  return { jsonrpc: "2.0", id, result };
}

/** Returns the members of a message with an error, about a message whose id may be unreadable. */
export function rpcFailure(
  { code, message, data }: RpcError,
  // JSON-RPC 2.0, section 5.
  id: RpcMessage["id"] | null = null,
): object {
  const error = { code, message, ...data !== undefined && { data } };
  return { jsonrpc: "2.0", id, error };
}

export function rpcErrorResponse(error: RpcError, id?: RpcMessage["id"]): ResponseData {
  return jsonResponse(rpcFailure(error, id), error.status);
}

/** A server chooses between both types for each response, so a client must accept both. */
export function checkAccept(accept: string): void {
  const types = accept.split(",").map((each) => each.split(";")[0]?.trim().toLowerCase());
  const isAccepted = (type: string) => types.includes(type) || types.includes("*/*");
  if (isAccepted("application/json") && isAccepted("text/event-stream")) return;
  const message = "The header Accept must list application/json and text/event-stream.";
  throw new RpcError(rpcCodes.invalidRequest, message, 406);
}
