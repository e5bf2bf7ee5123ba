import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { withBodyReader } from "../http/body.ts";
import { withHeaderList } from "../http/header_list.ts";
import {
  partsOf,
  platformResponse,
  type ResponseParts,
  responseText,
} from "../http/lazy_response.ts";
import { parseUrl } from "../util/uri.ts";
import { cipherSuites } from "./cipher_suites.ts";
import { createDrainableHandler } from "./drainable.ts";
import { disconnectedResponse, idleTimeout, type Listen } from "./listen.ts";
import { trackConnections } from "./node_connections.ts";
import { readMessage, sendParts } from "./node_messages.ts";
import { endOfNextTurn } from "./turn.ts";

/**
 * Node has no built-in `fetch` server. srvx turns Node's message into a Request, lazily. Most
 * responses are plain data, and are sent as they are.
 */
export const listenOnNode: Listen = async ({ fetch, hostname, port, cert, key }) => {
  const handler = createDrainableHandler(fetch);

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<Response> {
    if (!hasValidTarget(req)) return new Response(null, { status: 400 });
    const request = new NodeRequest({ req, res });
    // Must be read at once: srvx keeps an address that was read, and a closed connection has none.
    if (request.ip === undefined) return disconnectedResponse();
    if (hasKnownLength(req)) withBodyReader(request, () => readMessage(req));
    return await handler.fetch(withHeaderList(request, req.rawHeaders));
  }

  const server = createNodeServer(cert, key, async (req, res) => {
    connections.note(req, res);
    try {
      await sendResponse(await respond(req, res), req, res);
    } catch {
      sendFailure(res);
    }
  });
  server.keepAliveTimeout = idleTimeout * 1000;
  const connections = trackConnections(server);
  await listening(server, hostname, port);
  return {
    port: portOf(server),
    close: async () => {
      const bodies = handler.drain();
      await endOfNextTurn();
      const closed = new Promise((resolve) => server.close(resolve));
      await connections.end();
      await Promise.all([bodies, closed]);
    },
  };
};

function createNodeServer(
  cert: string | undefined,
  key: string | undefined,
  listener: RequestListener,
): Server {
  if (!cert || !key) return createServer(listener);
  return createTlsServer({ cert, key, ciphers: cipherSuites, minVersion: "TLSv1.2" }, listener);
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Whether the length of a body was announced. Otherwise its bytes have to be counted. */
function hasKnownLength({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined;
}

/** Whether a request names a path, `*`, or a URL of the web (RFC 9112, section 3.2). */
function hasValidTarget({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/") || url === "*" || /^https?:$/.test(parseUrl(url)?.protocol ?? "");
}

async function sendResponse(
  response: Response,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const parts = partsOf(response) ?? knownParts(response);
  if (parts) sendParts(parts, req, res);
  else await sendNodeResponse(res, platformResponse(response));
}

/** Responds to an error that no handler caught. It reveals no stack trace. */
function sendFailure(res: ServerResponse): void {
  if (res.headersSent) res.destroy();
  else res.writeHead(500, { "Content-Length": 0 }).end();
}

/** Returns the parts of a response whose text is known. Undici's Response always has a stream. */
function knownParts(response: Response): ResponseParts | undefined {
  const body = responseText(response);
  return body === undefined
    ? undefined
    : { status: response.status, headers: [...response.headers], body };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
