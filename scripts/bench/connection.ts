import { once } from "node:events";
import { connect } from "node:net";

/** A response, as far as the bench looks at it. */
export interface BenchResponse {
  status: number;
  head: string;
  text: string;
}

/** The fields of a form. */
export type Form = Record<string, string>;

/** Sends a request over one connection. With a form it is a POST. */
export type Send = (
  path: string,
  options?: { headers?: Record<string, string> | undefined; form?: Form },
) => Promise<BenchResponse>;

/**
 * Opens a connection that costs the load generator as little as possible. It is kept alive, and
 * carries one request at a time.
 */
export async function openConnection(port: number) {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  let received = "";
  let waiting: PromiseWithResolvers<BenchResponse> | undefined;
  socket.setEncoding("latin1").on("data", (chunk) => {
    received += String(chunk);
    const response = readResponse(received);
    if (response) waiting?.resolve(response);
  });
  socket.on("close", () => waiting?.reject(new Error("The server closed the connection.")));
  return {
    send: ((path, options) => {
      received = "";
      waiting = Promise.withResolvers();
      if (socket.destroyed) waiting.reject(new Error("The server has closed the connection."));
      else socket.write(requestText(port, path, options), "latin1");
      return waiting.promise;
    }) satisfies Send,
    close: () => void socket.destroy(),
  };
}

/** Returns a request as it is written on the wire. */
function requestText(
  port: number,
  path: string,
  { headers, form }: Parameters<Send>[1] = {},
): string {
  const body = form ? `${new URLSearchParams(form)}` : "";
  const all = {
    Host: `localhost:${port}`,
    ...headers,
    ...form && {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": `${body.length}`,
    },
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${form ? "POST" : "GET"} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** Returns the response once all of it has arrived. */
function readResponse(received: string): BenchResponse | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = received.slice(0, end);
  const text = received.slice(end + 4);
  const status = Number(received.slice(9, 12));
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) {
    return text.length >= Number(length) ? { status, head, text } : undefined;
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, head, text };
  return text.endsWith("0\r\n\r\n") ? { status, head, text: joinChunks(text) } : undefined;
}

function joinChunks(text: string): string {
  const lineEnd = text.indexOf("\r\n");
  const size = parseInt(text.slice(0, lineEnd), 16);
  if (!(size > 0)) return "";
  const start = lineEnd + 2;
  return text.slice(start, start + size) + joinChunks(text.slice(start + size + 2));
}
