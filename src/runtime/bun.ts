import { withAddress } from "../http/address.ts";
import type { Listen } from "./listen.ts";
import { failed } from "./listen.ts";

/** As much of Bun as is used here. */
interface Bun {
  serve(options: BunOptions): BunServer;
}

interface BunOptions {
  hostname: string;
  port: number;
  development: false;
  reusePort: false;
  tls?: { cert: string; key: string };
  fetch(request: Request, server: BunServer): Promise<Response>;
  error(): Response;
}

interface BunServer {
  port: number;
  requestIP(request: Request): { address: string } | null;
  stop(): Promise<void>;
}

declare const globalThis: { Bun: Bun };

export const listenOnBun: Listen = async ({ fetch, cert, key, ...where }) => {
  const server = globalThis.Bun.serve({
    ...where,
    ...cert && key && { tls: { cert, key } },
    // Bun answers a failure with a large page of its own while developing.
    development: false,
    // Left to itself, Bun lets a second process take the same port and a share of the requests.
    reusePort: false,
    fetch: (request, server) => fetch(withAddress(request, server.requestIP(request)?.address)),
    error: failed,
  });
  return { port: server.port, close: () => server.stop() };
};
