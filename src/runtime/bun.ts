import { createDrainableHandler } from "./drainable.ts";
import {
  cipherSuites,
  disconnectedResponse,
  failureResponse,
  idleTimeout,
  type Listen,
  platformResponse,
} from "./listen.ts";
import { endOfNextTurn } from "./turn.ts";

/** How long a connection may be silent before its first request, in seconds. */
const firstRequestTimeout = 10;

/** How often to check whether requests are still pending, in milliseconds. */
const pollInterval = 10;

/** The part of Bun that we use. */
interface Bun {
  serve(options: {
    hostname: string;
    port: number;
    development: false;
    reusePort: false;
    idleTimeout: number;
    tls?: { cert: string; key: string; ciphers: string };
    fetch(request: Request, server: BunServer): Promise<Response>;
    error(): Response;
  }): BunServer;
}

interface BunServer {
  port: number;
  /** The number of requests whose responses are not sent completely. */
  pendingRequests: number;
  requestIP(request: Request): { address: string } | null;
  /** Sets how many seconds the connection of a request may be silent. 0 means no limit. */
  timeout(request: Request, seconds: number): void;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

declare const globalThis: { Bun: Bun };

export const listenOnBun: Listen = async ({ respond, cert, key, ...address }) => {
  const handler = createDrainableHandler(respond);

  async function handle(request: Request, server: BunServer): Promise<Response> {
    // Each endpoint decides how long a request and its body may take.
    server.timeout(request, 0);
    const peer = server.requestIP(request)?.address;
    if (peer === undefined) return platformResponse(disconnectedResponse);
    const response = platformResponse(await handler.respond(request, { peer }));
    if (!isEventStream(response)) server.timeout(request, idleTimeout);
    return response;
  }

  const server = globalThis.Bun.serve({
    ...address,
    ...cert && key && { tls: { cert, key, ciphers: cipherSuites } },
    // In development mode Bun responds to an error with its own large page.
    development: false,
    // By default Bun lets a second process take the same port and some of the requests.
    reusePort: false,
    idleTimeout: firstRequestTimeout,
    fetch: handle,
    error: failureResponse,
  });
  return {
    port: server.port,
    close: async () => {
      const bodies = handler.drain();
      await endOfNextTurn();
      await Promise.all([bodies, stop(server)]);
    },
  };
};

/** Whether a response is a stream of events, which may be far apart. */
function isEventStream({ headers }: Response): boolean {
  return headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
}

/** Finishes pending requests. Bun's own `stop` also waits for clients that sent half a request. */
async function stop(server: BunServer): Promise<void> {
  const stopped = server.stop();
  while (server.pendingRequests > 0) {
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
  await server.stop(true);
  await stopped;
}
