import type { Socket } from "node:net";
import { LabError } from "../../util/lab_error.ts";
import type { SentToApi } from "./call_api.ts";

const timeout = 10_000;

/** The part of Node's modules that is used. They are not imported: browsers have none of them. */
interface SocketModules {
  net: Pick<typeof import("node:net"), "connect" | "createServer">;
  tls: Pick<typeof import("node:tls"), "connect">;
}

/**
 * Listens on a free port of this machine, and serves a document to anyone who connects: `bodyOf`
 * makes it for the trap's own URL.
 */
export async function openTrap(bodyOf: (url: string) => string) {
  let visits = 0;
  const open = new Set<Socket>();
  const url = (scheme: "http" | "https") => {
    const address = server.address();
    return `${scheme}://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  };
  const server = requireSockets().net.createServer((socket) => {
    visits++;
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    socket.on("data", () => socket.end(httpResponse(bodyOf(url("http")))));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url,
    /** How many connections it has accepted. */
    visits: () => visits,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function httpResponse(body: string): string {
  const length = new TextEncoder().encode(body).length;
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n` +
    `Connection: close\r\n\r\n${body}`;
}

/**
 * Sends a request with several Authorization headers, which `fetch` cannot. Returns the status; 0
 * if the connection was closed without one.
 */
export function sendAuthorizations(
  { url, method, headers, body = "" }: SentToApi,
  authorizations: readonly string[],
): Promise<number> {
  const { net, tls } = requireSockets();
  const { hostname, host, port, protocol, pathname, search } = new URL(url);
  const isTls = protocol === "https:";
  const target = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (isTls ? 443 : 80)),
  };
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...authorizations.map((value) => `Authorization: ${value}`),
    `Content-Length: ${new TextEncoder().encode(body).length}`,
    "Connection: close",
  ];
  return new Promise((resolve) => {
    let received = "";
    const socket = isTls ? tls.connect({ ...target, servername: hostname }) : net.connect(target);
    const finish = () => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.\d (\d{3})/.exec(received)?.[1] ?? 0));
    };
    socket.setTimeout(timeout, finish);
    socket.on("error", finish).on("close", finish);
    socket.on("data", (chunk) => {
      received += String(chunk);
      if (received.includes("\r\n")) finish();
    });
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  });
}

function requireSockets(): SocketModules {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const net = process?.getBuiltinModule?.("node:net") as SocketModules["net"] | undefined;
  const tls = process?.getBuiltinModule?.("node:tls") as SocketModules["tls"] | undefined;
  if (net && tls) return { net, tls };
  throw new LabError(
    "This check needs raw sockets: run it on Node 20.16 or later, on Deno or on Bun.",
  );
}
