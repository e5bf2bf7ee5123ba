import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { BoundAddress, HttpServerOptions, NodeListener } from "./types.ts";

const loopback = "127.0.0.1";
const loopback6 = "::1";

/** A server that can be started again. Its interface is that of oauth2-mock-server. */
export class HttpServer {
  readonly #create: () => Server;
  #servers: Server[] = [];
  readonly #isSecure: boolean;

  /** Creates a server that does not listen yet; with a key and a certificate, it has TLS. */
  constructor(requestListener: NodeListener, options: HttpServerOptions = {}) {
    const listener = requestListener as unknown as RequestListener;
    const { key, cert } = options;
    this.#isSecure = key !== undefined && cert !== undefined;
    this.#create = key !== undefined && cert !== undefined
      ? () => createTlsServer({ key: decodeText(key), cert: decodeText(cert) }, listener)
      : () => createServer(listener);
  }

  /** Whether the server listens. */
  get listening(): boolean {
    return this.#servers.length > 0;
  }

  /** Returns the address that it listens on. */
  address(): BoundAddress {
    const address = this.#servers[0]?.address();
    if (typeof address !== "object" || !address) throw new Error("Server is not started.");
    return address;
  }

  /**
   * Listens on a port, by default on a free one. Without a host, it listens on this machine alone:
   * any client can sign in as anyone. `0.0.0.0` is for containers.
   */
  async start(port = 0, host?: string): Promise<void> {
    if (this.listening) throw new Error("Server has already been started.");
    const isLocal = host === undefined || host === "localhost";
    const first = await listen(this.#create(), port, isLocal ? loopback : host);
    this.#servers = [first];
    if (!isLocal) return;
    // Some clients try the IPv6 address of localhost first. A machine may lack it.
    const second = await listen(this.#create(), this.address().port, loopback6)
      .catch(() => undefined);
    if (second) this.#servers.push(second);
  }

  /** Stops listening, and closes all connections. */
  async stop(): Promise<void> {
    if (!this.listening) throw new Error("Server is not started.");
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(servers.map(close));
  }

  /** Returns the issuer URL of a server that listens on a host and port. */
  protected buildIssuerUrl(host: string | undefined, port: number): string {
    const isNamed = host !== undefined && !isUnspecific(host);
    return `${this.#isSecure ? "https" : "http"}://${isNamed ? host : "localhost"}:${port}`;
  }
}

/** Addresses of this machine have a name that certificates and redirect URIs use. */
function isUnspecific(host: string): boolean {
  return ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host);
}

function decodeText(value: string | Uint8Array): string {
  return typeof value === "string" ? value : new TextDecoder().decode(value);
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => error ? reject(error) : resolve());
    server.closeAllConnections();
  });
}
