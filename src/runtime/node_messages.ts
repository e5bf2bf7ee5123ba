import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHeaders } from "../server/http/incoming_request.ts";
import { listHeaders, type ResponseData } from "../server/http/response_data.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Statuses whose responses have no length (RFC 9110, section 8.6). */
const withoutLength = [204, 304];

/** A body that is sent in one piece. */
type WholeBody = Exclude<ResponseData["body"], ReadableStream>;

/** A response that is sent in one piece. */
interface SentWhole extends ResponseData {
  readonly body: WholeBody;
}

/** Whether a response is sent in one piece. */
export function isWhole(response: ResponseData): response is SentWhole {
  const { body } = response;
  return body === null || typeof body === "string" || body instanceof Uint8Array;
}

/** Sends a response in one piece. */
export function sendData(
  { status, headers, body }: SentWhole,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const sent: string[] = [];
  for (const [name, value] of headers) sent.push(name, value);
  // The response to HEAD already names the length of the body that it leaves out.
  if (request.method !== "HEAD" && !withoutLength.includes(status)) {
    sent.push("Content-Length", String(lengthOf(body)));
  }
  response.writeHead(status, sent);
  if (body === null) response.end();
  else response.end(body);
}

function lengthOf(body: WholeBody): number {
  if (body === null) return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

/** Reads the body of a request. The Request of srvx would make one of the platform for it. */
export function readMessage(message: IncomingMessage): Promise<Bytes> {
  const chunks: Bytes[] = [];
  return new Promise((resolve, reject) => {
    const fail = () => reject(message.errored ?? new Error("The connection was closed."));
    if (message.destroyed || message.readableEnded) return fail();
    message.on("data", (chunk) => chunks.push(chunk));
    message.once("end", () => {
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    message.once("error", fail);
    // Every message is closed at last, and to make an error takes long.
    message.once("close", () => message.readableEnded || fail());
  });
}

/** Lists the headers of a request without the object of the platform, which is slow to make. */
export function listedAsSent(
  headers: Headers,
  { rawHeaders }: IncomingMessage,
): RequestHeaders {
  return {
    get: (name) => headers.get(name),
    has: (name) => headers.has(name),
    [Symbol.iterator]: () => listHeaders(pairsOf(rawHeaders))[Symbol.iterator](),
  };
}

/** Returns names with values, from a list with names and values in turn. */
function pairsOf(list: readonly string[]): Array<[name: string, value: string]> {
  const pairs: Array<[string, string]> = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([list[at] ?? "", list[at + 1] ?? ""]);
  return pairs;
}
