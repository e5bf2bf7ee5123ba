import type { Server } from "node:http";
import { FastResponse, serve } from "srvx/node";
import { textOf } from "../http/answer.ts";
import type { Listen } from "./listen.ts";
import { failed } from "./listen.ts";

/** Node has no `fetch` server of its own; srvx bridges it, and makes Request and Response only as far as they are used. */
export const listenOnNode: Listen = async ({ fetch, hostname, port, cert, key }) => {
  const bridge = serve({
    fetch: (request) => fetch(request).then(withoutStream),
    hostname,
    port,
    ...cert && key && { tls: { cert, key } },
    error: failed,
    silent: true,
    gracefulShutdown: false,
    node: { http2: false },
  });
  await bridge.ready();
  const server = bridge.node!.server as Server;
  return {
    port: portOf(server),
    close: async () => {
      const closed = bridge.close();
      // Connections that are kept alive would hold the door open for seconds.
      server.closeIdleConnections();
      await closed;
    },
  };
};

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
