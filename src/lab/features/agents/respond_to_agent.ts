import { jsonResponse } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { OperationCall } from "../../core/operation.ts";
import {
  eraOf,
  type ProtocolEra,
  readRequestMessage,
  rpcCodes,
  RpcError,
  type RpcMessage,
} from "../../rpc/rpc_message.ts";
import { runMethod } from "../../rpc/rpc_methods.ts";
import { rpcErrorResponse, rpcFailure, rpcResult } from "../../rpc/rpc_response.ts";
import { type AgentCall, agentServer } from "./agent_server.ts";
import type { ReportProgress } from "./agent_tool.ts";

/**
 * Responds as a server without sessions does (MCP, Streamable HTTP): there is nothing to keep
 * between two messages, so nothing to limit.
 */
export async function respondToAgent(
  lab: CoreLab,
  call: OperationCall,
): Promise<ResponseData> {
  const { request } = call;
  let message: RpcMessage | undefined;
  try {
    message = await readRequestMessage(request);
    const { id } = message;
    const era = eraOf(request, message);
    if (id === undefined) return { status: 202, headers: [], body: null };
    const takesStream = request.headers.get("Accept")?.includes("text/event-stream") ?? false;
    const token = takesStream ? progressTokenOf(message) : undefined;
    const agentCall: AgentCall = { message, lab, call, onProgress: () => {} };
    if (token !== undefined) return streamProgress(agentCall, era, token);
    const result = await runMethod(agentServer, era, agentCall);
    return jsonResponse(rpcResult(id, result));
  } catch (cause) {
    const error = toRpcError(cause);
    // A notification gets no message, not even if it is refused (JSON-RPC 2.0, section 4.1).
    const isNotification = message !== undefined && message.id === undefined;
    if (isNotification) return { status: error.status, headers: [], body: null };
    return rpcErrorResponse(error, message?.id);
  }
}

/** Returns the token with which a client asks for the progress of a call (MCP, Progress). */
function progressTokenOf({ method, params }: RpcMessage): string | number | undefined {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  const isToken = typeof token === "string" || typeof token === "number";
  return method === "tools/call" && isToken ? token : undefined;
}

/** Responds with a stream: notifications of the progress, and then the response. */
function streamProgress(
  agentCall: AgentCall,
  era: ProtocolEra,
  progressToken: string | number,
): ResponseData {
  const { message } = agentCall;
  const encoder = new TextEncoder();
  let isOpen = true;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      const send = (sent: object) => {
        if (isOpen) controller.enqueue(encoder.encode(`data: ${JSON.stringify(sent)}\n\n`));
      };
      const onProgress: ReportProgress = (progress, total) =>
        send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken, progress, total },
        });
      send(
        await runMethod(agentServer, era, { ...agentCall, onProgress }).then(
          (result) => rpcResult(message.id, result),
          (cause) => rpcFailure(toRpcError(cause), message.id),
        ),
      );
      if (isOpen) controller.close();
    },
    cancel: () => void (isOpen = false),
  });
  const headers = [["Content-Type", "text/event-stream"], ["Cache-Control", "no-store"]] as const;
  return { status: 200, headers, body: stream };
}

function toRpcError(cause: unknown): RpcError {
  if (cause instanceof RpcError) return cause;
  return new RpcError(rpcCodes.internalError, "The lab failed. Call reset, and try again.", 500);
}
