import {
  metaNames,
  namedBy,
  readMessage,
  rpcCodes,
  RpcError,
  type RpcMessage,
} from "../../../lab/rpc/rpc_message.ts";
import { textContent } from "../../../lab/rpc/rpc_methods.ts";
import { rpcFailure, rpcResult } from "../../../lab/rpc/rpc_response.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";

/** Sends a message to a lab, as a client of Streamable HTTP does. */
export type SendMessage = (message: string, headers: Record<string, string>) => Promise<Response>;

/** The revision of a client that has not begun with a handshake yet. */
const firstVersion = "2025-11-25";

/**
 * Relays messages from lines of standard input to a lab, and what comes back to standard output
 * (MCP, stdio). Calls may overlap: one that takes long holds up no other.
 */
export async function relayMessages(
  lines: AsyncIterable<string>,
  send: SendMessage,
  write: (line: string) => void,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let version = firstVersion;

  const writeMessage = (message: unknown) => {
    const { result } = Object(message);
    if (isObject(result) && typeof result.protocolVersion === "string") {
      version = result.protocolVersion;
    }
    write(JSON.stringify(message));
  };

  for await (const line of lines) {
    if (line.trim() === "") continue;
    const relayed = relay(line, { version, send, write: writeMessage });
    running.add(relayed);
    relayed.finally(() => running.delete(relayed));
  }
  await Promise.all(running);
}

async function relay(
  line: string,
  { version, send, write }: { version: string; send: SendMessage; write(message: unknown): void },
): Promise<void> {
  let message: RpcMessage | undefined;
  try {
    message = readMessage(line);
    const response = await send(line, headersOf(message, version));
    await copyMessages(response, message, write);
  } catch (cause) {
    if (message?.id === undefined && !(cause instanceof RpcError)) return;
    write(failureOf(cause, message));
  }
}

/** Returns the headers of a message, which repeat a part of it (Streamable HTTP, "Headers"). */
function headersOf(message: RpcMessage, version: string): Record<string, string> {
  const { _meta: meta } = message.params;
  const named = isObject(meta) ? meta[metaNames.version] : undefined;
  const name = namedBy(message);
  return {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": typeof named === "string" ? named : version,
    "Mcp-Method": message.method,
    ...typeof name === "string" && { "Mcp-Name": encodeHeader(name) },
  };
}

/** Encodes what no header can hold (Streamable HTTP, "Value Encoding"). */
function encodeHeader(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text) && !text.startsWith("=?")) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

async function copyMessages(
  response: Response,
  { id }: RpcMessage,
  write: (message: unknown) => void,
): Promise<void> {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("text/event-stream") && response.body) {
    for await (const message of readEvents(response.body)) write(message);
    return;
  }
  const body = parseJson(await response.text());
  if (id === undefined) return;
  if (isObject(body) && body.jsonrpc === "2.0") return write(body);
  // The guard of a lab responds like its interface over HTTP.
  const description = isObject(body) ? body.error_description : undefined;
  throw new Error(String(description ?? "The response is not that of a lab with these tools."));
}

async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<unknown> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) yield parseJson(event.replace(/^data: /, ""));
  }
}

/** What stops a call of a tool is for the model, which can tell its user (MCP, Tools). */
function failureOf(cause: unknown, message: RpcMessage | undefined): object {
  if (cause instanceof RpcError) return rpcFailure(cause, message?.id);
  const text = messageOf(cause);
  if (message?.method === "tools/call") {
    return rpcResult(message.id, { content: [textContent(text)], isError: true });
  }
  return rpcFailure(new RpcError(rpcCodes.internalError, text), message?.id);
}
