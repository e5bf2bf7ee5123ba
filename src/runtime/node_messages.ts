import type { IncomingMessage, ServerResponse } from "node:http";
import type { ResponseParts } from "../http/lazy_response.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Statuses whose responses have no length (RFC 9110, section 8.6). */
const withoutLength = [204, 304];

/** Sends a response in one piece. */
export function sendParts(
  { status, headers, body }: ResponseParts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const sent: string[] = [];
  for (const [name, value] of headers) sent.push(name, value);
  // A HEAD request is not told how long the body would be.
  if (request.method !== "HEAD" && !withoutLength.includes(status)) {
    sent.push("Content-Length", String(lengthOf(body)));
  }
  response.writeHead(status, sent);
  if (body === null) response.end();
  else response.end(body);
}

function lengthOf(body: ResponseParts["body"]): number {
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
