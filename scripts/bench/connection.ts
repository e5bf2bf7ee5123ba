import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A response, as far as the bench looks at it. */
export interface BenchResponse {
  status: number;
  head: string;
  text: string;
}

/** The fields of a form. */
export type Form = Record<string, string>;

/** What a request has besides its path. With a form it is a POST. */
interface RequestOptions {
  headers?: Record<string, string> | undefined;
  form?: Form;
}

/** Sends a request over one connection. */
export type Send = (path: string, options?: RequestOptions) => Promise<BenchResponse>;

/** A connection that is kept alive. It carries one request at a time. */
export interface Connection {
  send: Send;
  close(): void;
}

/** Opens a connection that costs the load generator as little as possible. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  socket.setEncoding("latin1");
  return {
    send: (path, options) => exchange(socket, requestText(port, path, options)),
    close: () => socket.destroy(),
  };
}

/** Returns a request as it is written on the wire. */
function requestText(port: number, path: string, { headers, form }: RequestOptions = {}): string {
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

function exchange(socket: Socket, request: string): Promise<BenchResponse> {
  return new Promise((resolve, reject) => {
    let received = "";
    const finish = () => {
      socket.off("data", onData);
      socket.off("close", onClose);
    };
    const onData = (chunk: unknown) => {
      received += String(chunk);
      const response = readResponse(received);
      if (!response) return;
      finish();
      resolve(response);
    };
    const onClose = () => {
      finish();
      reject(new Error(`The server closed the connection. The request: ${request}`));
    };
    if (socket.destroyed) return onClose();
    socket.on("data", onData);
    socket.on("close", onClose);
    socket.write(request, "latin1");
  });
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
