import { isTaken, type Listen, type Listening } from "./listen.ts";

export type { GuardOptions } from "./guarded_fetch.ts";
export { guardedFetch } from "./guarded_fetch.ts";
export type { Listening };

/** Whatever answers requests. */
export interface ServedApplication {
  fetch: (request: Request) => Promise<Response>;
}

/** Where a server listens. */
export interface ServeOptions {
  /** 0 picks a free one. Default: 9000. */
  port?: number;
  /** Default: "localhost", which is IPv4 and IPv6 loopback. */
  hostname?: string;
  /** A certificate and its key in PEM, for TLS without a proxy. */
  cert?: string;
  key?: string;
}

/**
 * Serves on whichever runtime this is: Deno, Bun or Node.
 * A server whose issuer depends on the port can be made once the port is known.
 */
export async function serve(
  server: ServedApplication | ((port: number) => ServedApplication | Promise<ServedApplication>),
  options: ServeOptions = {},
): Promise<Listening> {
  const { port = 9000, hostname = "localhost", cert, key } = options;
  const door: ServedApplication = {
    fetch: async () => new Response(null, { status: 503, headers: { "Retry-After": "1" } }),
  };
  const listen = await listenerOfRuntime();
  const start = (hostname: string, port: number) =>
    listen({ fetch: (request) => door.fetch(request), hostname, port, cert, key });
  const listening = hostname === "localhost"
    ? await listenOnLoopback(start, port)
    : await start(hostname, port);
  try {
    const { fetch } = typeof server === "function" ? await server(listening.port) : server;
    door.fetch = fetch;
    return listening;
  } catch (cause) {
    await listening.close();
    throw cause;
  }
}

async function listenerOfRuntime(): Promise<Listen> {
  if ("Deno" in globalThis) return (await import("./deno.ts")).listenOnDeno;
  if ("Bun" in globalThis) return (await import("./bun.ts")).listenOnBun;
  return (await import("./node.ts")).listenOnNode;
}

/** `localhost` is two addresses, and browsers and clients do not agree on which comes first. */
async function listenOnLoopback(
  start: (hostname: string, port: number) => Promise<Listening>,
  port: number,
): Promise<Listening> {
  const first = await start("127.0.0.1", port);
  const second = await start("::1", first.port).catch(async (cause) => {
    // A machine without IPv6 is well served on the other address.
    if (!isTaken(cause)) return undefined;
    await first.close();
    throw cause;
  });
  return {
    port: first.port,
    close: async () => void await Promise.all([first.close(), second?.close()]),
  };
}
