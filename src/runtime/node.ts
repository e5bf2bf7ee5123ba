import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { FastResponse, serve } from "srvx/node";
import { textOf } from "../http/response.ts";
import { drainable } from "./drainable.ts";
import { failureResponse, type Listen } from "./listen.ts";
import { countRequests } from "./requests_in_progress.ts";

/** Node has no `fetch` server of its own; srvx bridges it, and makes Request and Response only as far as they are used. */
export const listenOnNode: Listen = async ({ fetch, hostname, port, cert, key }) => {
  const answering = drainable(fetch);
  const bridge = serve({
    fetch: (request) => answering.fetch(request).then(withoutStream),
    hostname,
    port,
    ...cert && key && { tls: { cert, key } },
    error: failureResponse,
    silent: true,
    gracefulShutdown: false,
    node: { http2: false },
  });
  const server = bridge.node!.server as Server;
  const connections = followConnections(server);
  await bridge.ready();
  return {
    port: portOf(server),
    close: async () => {
      answering.drain();
      const closed = bridge.close();
      await connections.end();
      await closed;
    },
  };
};

/**
 * Follows the connections of a server. Node's own `close` waits for those that never sent a whole
 * request, and for those that are kept busy.
 */
function followConnections(server: Server): { end(): Promise<void> } {
  const requests = countRequests();
  const open = new Set<IncomingMessage["socket"]>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    response.once("close", requests.begin());
  });
  return {
    async end() {
      server.closeIdleConnections();
      await requests.none();
      for (const socket of open) socket.destroy();
    },
  };
}

/** A text that is known is sent in one piece, with its length; undici's own response would make a stream of it. */
function withoutStream(response: Response): Response {
  const text = textOf(response);
  const { status, headers } = response;
  return text === undefined ? response : new FastResponse(text, { status, headers });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
