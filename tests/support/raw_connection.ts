import { connect } from "node:net";
import { patience } from "./eventually.ts";

/** A TCP connection on which a test sends raw bytes. */
export interface RawConnection {
  send(text: string): void;
  /** Returns everything received so far. */
  received(): string;
  /** Resolves when the received text matches. */
  until(pattern: RegExp): Promise<void>;
  /** Resolves when either side has closed the connection. */
  readonly ended: Promise<void>;
  destroy(): void;
}

/** Connects to a server on this machine. */
export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  const waiting = new Set<() => void>();
  socket.on("data", (chunk) => {
    received += chunk.toString();
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) =>
    socket.once("connect", resolve).once("error", reject)
  );
  socket.on("error", () => {});
  return {
    send: (text) => void socket.write(text),
    received: () => received,
    until: (pattern) =>
      new Promise((resolve) => {
        const look = () => pattern.test(received) && resolve();
        waiting.add(look);
        look();
      }),
    ended,
    destroy: () => void socket.destroy(),
  };
}

/** Sends bytes and the end of the stream, and reads what comes until the server closes as well. */
export async function exchangeBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => received += chunk.toString("latin1"));
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let isOpen = false;
  const timer = setTimeout(() => {
    isOpen = true;
    socket.destroy();
  }, patience);
  socket.end(bytes, "latin1");
  await closed;
  clearTimeout(timer);
  if (isOpen) throw new Error("The server does not close the connection.");
  return received;
}

/** Returns a request without a body. */
export function rawGet(path = "/"): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

/** Returns the head of a request whose body has the given length. */
export function rawPost(path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Returns the head of a form whose body has the given length. */
export function formPost(path: string, length: number): string {
  const type = "Content-Type: application/x-www-form-urlencoded";
  return rawPost(path, length).replace("\r\n\r\n", `\r\n${type}\r\n\r\n`);
}
