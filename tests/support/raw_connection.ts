import { connect } from "node:net";

/** A TCP connection on which a test sends bytes as they are. */
export interface RawConnection {
  send(text: string): void;
  /** Everything that has come back. */
  received(): string;
  /** Resolves as soon as what came back matches. */
  until(pattern: RegExp): Promise<void>;
  /** Resolves when the connection has ended, whichever side ended it. */
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

/** A request without a body, as it goes over the wire. */
export function rawGet(path = "/"): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

/** The head of a request with a body of a length that is announced. */
export function rawPost(path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
}
