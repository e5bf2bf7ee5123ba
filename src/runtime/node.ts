import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { FastResponse, serve } from "srvx/node";
import { withBodyReader } from "../http/body.ts";
import { partsOf, platformResponse, responseText } from "../http/lazy_response.ts";
import { createDrainableHandler, createRequestCounter } from "./drainable.ts";
import { disconnectedResponse, failureResponse, type Listen } from "./listen.ts";
import { readMessage, sendParts } from "./node_messages.ts";

/**
 * Node has no `fetch` server of its own. srvx adapts it, and creates Request and Response lazily.
 */
export const listenOnNode: Listen = async ({ fetch, hostname, port, cert, key }) => {
  const handler = createDrainableHandler(fetch);

  async function respond(request: AdaptedRequest): Promise<Response> {
    // Must be read at once: srvx keeps an address that was read, and a closed connection has none.
    if (request.ip === undefined) return disconnectedResponse();
    const { req, res } = request.runtime?.node as NodeMessages;
    const response = await handler.fetch(withBodyReader(request, () => readMessage(req)));
    const parts = partsOf(response);
    if (!parts) return withoutStream(platformResponse(response));
    sendParts(parts, req, res);
    return sentResponse;
  }

  const adapter = serve({
    fetch: respond,
    hostname,
    port,
    ...cert && key && { tls: { cert, key } },
    error: failureResponse,
    silent: true,
    gracefulShutdown: false,
    node: { http2: false },
  });
  const server = adapter.node?.server as Server;
  const connections = trackConnections(server);
  await adapter.ready();
  return {
    port: portOf(server),
    close: async () => {
      handler.drain();
      const closed = adapter.close();
      await connections.end();
      await closed;
    },
  };
};

/**
 * Tracks the connections of a server. Node's own `close` waits for connections that never sent a
 * whole request, and for those that are kept busy.
 */
function trackConnections(server: Server): { end(): Promise<void> } {
  const requests = createRequestCounter();
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

interface NodeMessages {
  req: IncomingMessage;
  res: ServerResponse;
}

/** A request of srvx, which knows the messages of Node. Without HTTP/2, they are those of HTTP/1. */
interface AdaptedRequest extends Request {
  ip?: string | undefined;
  runtime?: { node?: { req: unknown; res?: unknown } | undefined } | undefined;
}

/** Tells srvx nothing, which then ends the response that was sent. */
const sentResponse = new FastResponse();

/** Sends a known text in one piece, with its length. Undici's Response always has a stream. */
function withoutStream(response: Response): Response {
  const text = responseText(response);
  if (text === undefined) return response;
  const { status, headers } = response;
  return new FastResponse(text, { status, headers });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
