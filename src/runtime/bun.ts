import { withAddress } from "../http/client_address.ts";
import { drainable } from "./drainable.ts";
import { failureResponse, type Listen } from "./listen.ts";

/** As much of Bun as is used here. */
interface Bun {
  serve(options: BunOptions): BunServer;
}

interface BunOptions {
  hostname: string;
  port: number;
  development: false;
  reusePort: false;
  idleTimeout: number;
  tls?: { cert: string; key: string };
  fetch(request: Request, server: BunServer): Promise<Response>;
  error(): Response;
}

interface BunServer {
  port: number;
  /** Requests whose responses have not been sent to the end. */
  pendingRequests: number;
  requestIP(request: Request): { address: string } | null;
  /** How many seconds the connection of a request may be silent; 0 is without end. */
  timeout(request: Request, seconds: number): void;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

declare const globalThis: { Bun: Bun };

/** How long a connection may be silent between two requests, in seconds. */
const idleTimeout = 10;

export const listenOnBun: Listen = async ({ fetch, cert, key, ...where }) => {
  const answering = drainable(fetch);

  async function respond(request: Request, server: BunServer): Promise<Response> {
    // How long a request may take, or its body, is for its endpoint to say.
    server.timeout(request, 0);
    const address = server.requestIP(request)?.address;
    const response = await answering.fetch(withAddress(request, address));
    if (!isEventStream(response)) server.timeout(request, idleTimeout);
    return response;
  }

  const server = globalThis.Bun.serve({
    ...where,
    ...cert && key && { tls: { cert, key } },
    // Bun answers a failure with a large page of its own while developing.
    development: false,
    // Left to itself, Bun lets a second process take the same port and a share of the requests.
    reusePort: false,
    idleTimeout,
    fetch: respond,
    error: failureResponse,
  });
  return {
    port: server.port,
    close: async () => {
      answering.drain();
      await stop(server);
    },
  };
};

/** Events may be far apart. */
function isEventStream({ headers }: Response): boolean {
  return headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
}

/** How often to look whether requests are still pending, in milliseconds. */
const interval = 10;

/** Finishes what is pending. Bun's own `stop` also waits for clients that sent half of a request. */
async function stop(server: BunServer): Promise<void> {
  const stopped = server.stop();
  while (server.pendingRequests > 0) await new Promise((resolve) => setTimeout(resolve, interval));
  await server.stop(true);
  await stopped;
}
