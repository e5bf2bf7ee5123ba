/**
 * Serves an authorization server on Deno, Bun or Node.
 *
 * @example
 * ```ts
 * import { createServer } from "@hallpass/hallpass";
 * import { serve } from "@hallpass/hallpass/serve";
 *
 * const server = createServer({ issuer: "http://localhost:9000" });
 * const listening = await serve(server, { port: 9000 });
 * await listening.close();
 * await server.close();
 * ```
 *
 * @module
 */

import { ConfigError } from "../server/config/problems.ts";
import { isPortTaken, type Listen, type Listening } from "./listen.ts";
import { createServedHandler, type ServedHandler } from "./served_handler.ts";

export type { GuardOptions } from "./guarded_fetch.ts";
export { guardedFetch } from "./guarded_fetch.ts";
export type { ResolveHost } from "./resolve_host.ts";
export type { Listening };

/** A request as an application gets it, with what its connection shows. */
export interface ServedRequest extends Request {
  /** The IP address of the sender, which may be a proxy. */
  readonly ip?: string | undefined;
  /** The certificates in DER that the sender proved (`requestCert`), its own first. */
  readonly certificates?: readonly Uint8Array[] | undefined;
}

/** An application that can be served, such as the result of `createServer`. */
export interface ServedApplication {
  /** Responds to a request. */
  fetch: (request: ServedRequest) => Promise<Response>;
}

/**
 * Creates an application for a port. The port opens when the application is ready; port 0 opens
 * first, to learn its number, and responds with the status 503 until then.
 */
export type ApplicationFactory = (port: number) => ServedApplication | Promise<ServedApplication>;

/** Where and how a server listens. */
export interface ServeOptions {
  /**
   * The port; 0 selects a free one.
   *
   * @default 9000
   */
  port?: number | undefined;
  /**
   * The host name or IP address. `"localhost"` is the loopback address of both IPv4 and IPv6.
   *
   * @default "localhost"
   */
  hostname?: string | undefined;
  /**
   * The certificate in PEM, for TLS without a proxy: TLS 1.3, and TLS 1.2 with ephemeral keys and
   * authenticated encryption.
   */
  cert?: string | undefined;
  /** The private key of the certificate in PEM. */
  key?: string | undefined;
  /**
   * Whether clients are asked for a certificate. The application gets any that a client proves to
   * own, as `certificates` of the request, signed by any authority or none. Browsers then show a
   * dialog: use a separate port. On Bun, the application gets no certificates.
   */
  requestCert?: boolean | undefined;
  /**
   * Whether browsers are told to use nothing but https with this host for a year, by the header
   * `Strict-Transport-Security`. Hosts on loopback never are.
   *
   * @default true with a certificate
   */
  strictTransport?: boolean | undefined;
}

const optionNames = ["port", "hostname", "cert", "key", "requestCert", "strictTransport"] as const;

/**
 * Listens for requests and lets an application respond to them. An application whose issuer depends
 * on the port can be created by a function once the port is known.
 */
export async function serve(
  server: ServedApplication | ApplicationFactory,
  options: ServeOptions = {},
): Promise<Listening> {
  checkServer(server);
  const { port = 9000, hostname = "localhost", cert, key, requestCert } = options;
  const isStrict = options.strictTransport ?? cert !== undefined;
  let served: ServedHandler = {
    respond: async () => ({ status: 503, headers: [["Retry-After", "1"]], body: null }),
  };
  const open = async (port: number) => {
    const application = typeof server === "function" ? await server(port) : server;
    served = createServedHandler(application, { isStrict });
  };
  if (port !== 0) await open(port);
  const listen = await (requestCert ? listenerForCertificates(options) : listenerOfRuntime());
  const start = (hostname: string, port: number) =>
    listen({
      respond: (request) => served.respond(request),
      onConnection: () => served.noteConnection?.(),
      hostname,
      port,
      cert,
      key,
      requestCert,
    });
  const listening = hostname === "localhost"
    ? await listenOnLoopback(start, port)
    : await start(hostname, port);
  if (port === 0) await open(listening.port).catch((cause) => closeAndThrow(listening, cause));
  return listening;
}

/** Checks what types alone do not: in other libraries, options and `fetch` are one object. */
function checkServer(server: ServedApplication | ApplicationFactory): void {
  const misplaced = optionNames.filter((name) => typeof server === "object" && name in server);
  if (misplaced.length === 0) return;
  const call = `serve(server, { ${misplaced.join(", ")} })`;
  throw new TypeError(`Cannot listen: options belong in the second argument: ${call}.`);
}

async function closeAndThrow(listening: Listening, cause: unknown): Promise<never> {
  await listening.close();
  throw cause;
}

async function listenerOfRuntime(): Promise<Listen> {
  if ("Deno" in globalThis) return (await import("./deno.ts")).listenOnDeno;
  if ("Bun" in globalThis) return (await import("./bun.ts")).listenOnBun;
  return (await import("./node.ts")).listenOnNode;
}

/** Deno's own server asks for no certificates, but its `node:https` shows them. */
async function listenerForCertificates({ cert, key }: ServeOptions): Promise<Listen> {
  if (cert === undefined || key === undefined) {
    throw new Error("To ask clients for certificates, the server needs one: 'cert' and 'key'.");
  }
  if ("Bun" in globalThis) {
    const problem = "Bun, which the binary contains, does not show the certificates of clients. " +
      "Run the server on Node (dist/npm) or Deno, or let a proxy ask for them and name it in " +
      "'mtls.proxies'.";
    throw new ConfigError([problem], "listen for certificates");
  }
  return (await import("./node.ts")).listenOnNode;
}

/** Listens on both addresses of `localhost`: clients do not agree on which one to try first. */
async function listenOnLoopback(
  start: (hostname: string, port: number) => Promise<Listening>,
  port: number,
): Promise<Listening> {
  const first = await start("127.0.0.1", port);
  const second = await start("::1", first.port).catch(async (cause) => {
    // Without IPv6, one address is enough.
    if (!isPortTaken(cause)) return undefined;
    await first.close();
    throw cause;
  });
  return {
    port: first.port,
    close: async () => void await Promise.all([first.close(), second?.close()]),
    unref() {
      first.unref?.();
      second?.unref?.();
    },
  };
}
