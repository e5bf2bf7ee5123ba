import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { jsonResponse } from "../server/http/response.ts";
import { pathNotAsWritten } from "../server/http/router.ts";
import { errorBody } from "../server/protocol/oauth_error.ts";
import { parseUrl } from "../server/util/addresses/uri.ts";
import { createDrainableHandler } from "./drainable.ts";
import {
  cipherSuites,
  disconnectedResponse,
  idleTimeout,
  isPlatformResponse,
  type Listen,
  type ListenOptions,
  platformResponse,
  type ServedResponse,
} from "./listen.ts";
import { askForCertificates, certificatesOf, trackConnections } from "./node_connections.ts";
import { isWhole, MessageRequest, sendData } from "./node_messages.ts";
import { endOfNextTurn } from "./turn.ts";

/**
 * Node has no built-in `fetch` server. Endpoints read its messages, and most responses are plain
 * data, which is sent as it is. What needs objects of the platform gets them from srvx, which loads
 * with the first of them: Node takes longer to load their classes than all of this server.
 */
export const listenOnNode: Listen = async (options) => {
  const { respond, hostname, port, requestCert } = options;
  const handler = createDrainableHandler(respond);

  function handle(
    req: IncomingMessage,
    res: ServerResponse,
  ): ServedResponse | Promise<ServedResponse> {
    if (!hasValidTarget(req)) return jsonResponse(errorBody(pathNotAsWritten()), 400);
    const peer = req.socket.remoteAddress;
    if (peer === undefined) return disconnectedResponse;
    const certificates = requestCert ? certificatesOf(req.socket) : undefined;
    return handler.respond(new MessageRequest(req, res), { peer, certificates });
  }

  const server = createNodeServer(options, async (req, res) => {
    const isNext = connections.note(req, res);
    if (isNext) await isNext;
    try {
      await sendResponse(await handle(req, res), req, res);
    } catch {
      sendFailure(res);
    }
  });
  server.on("connection", () => options.onConnection?.());
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
    unref: () => void server.unref(),
  };
};

function createNodeServer(
  { cert, key, requestCert = false }: ListenOptions,
  listener: RequestListener,
): Server {
  if (!cert || !key) return createServer(listener);
  const tls = { cert, key, ciphers: cipherSuites, minVersion: "TLSv1.2" } as const;
  return createTlsServer({ ...tls, ...requestCert && askForCertificates }, listener);
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

/**
 * What a URL parser resolves in a path: dot segments, also encoded, and backslashes. The path that
 * an endpoint reads is another one than a proxy in front of it saw.
 */
const resolvedPath = /^[^?]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?]|$))/i;

/** Whether a request names a path, `*`, or a URL of the web (RFC 9112, section 3.2). */
function hasValidTarget({ url = "" }: IncomingMessage): boolean {
  if (resolvedPath.test(url)) return false;
  return url.startsWith("/") || url === "*" || /^https?:$/.test(parseUrl(url)?.protocol ?? "");
}

async function sendResponse(
  response: ServedResponse,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (!isPlatformResponse(response) && isWhole(response)) return sendData(response, req, res);
  const { sendNodeResponse } = await import("srvx/node");
  await sendNodeResponse(res, platformResponse(response));
}

/** Responds to an error that no handler caught. It reveals no stack trace. */
function sendFailure(res: ServerResponse): void {
  if (res.headersSent) res.destroy();
  else res.writeHead(500, { "Content-Length": 0 }).end();
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
