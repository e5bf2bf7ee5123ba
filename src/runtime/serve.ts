import { createHash } from "node:crypto";
import { lendDigest } from "../protocol/digest.ts";
import type { Listen, Listening } from "./listen.ts";

lendDigest((text) => createHash("sha256").update(text).digest("base64url"));

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

/** Serves on whichever runtime this is: Deno, Bun or Node. */
export async function serve(server: { fetch: (request: Request) => Promise<Response> }, options: ServeOptions = {}): Promise<Listening> {
  const { port = 9000, hostname = "localhost", cert, key } = options;
  const listen = await listenerOfRuntime();
  const start = (hostname: string, port: number) => listen({ fetch: server.fetch, hostname, port, cert, key });
  return hostname === "localhost" ? await listenOnLoopback(start, port) : await start(hostname, port);
}

async function listenerOfRuntime(): Promise<Listen> {
  if ("Deno" in globalThis) return (await import("./deno.ts")).listenOnDeno;
  if ("Bun" in globalThis) return (await import("./bun.ts")).listenOnBun;
  return (await import("./node.ts")).listenOnNode;
}

/** `localhost` is two addresses, and browsers and clients do not agree on which comes first. */
async function listenOnLoopback(start: (hostname: string, port: number) => Promise<Listening>, port: number): Promise<Listening> {
  const first = await start("127.0.0.1", port);
  const second = await start("::1", first.port).catch(withoutIpv6);
  return {
    port: first.port,
    close: async () => void await Promise.all([first.close(), second?.close()]),
  };
}

/** A machine without IPv6 is well served on the other address. */
function withoutIpv6(cause: unknown): undefined {
  if (cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE") throw cause;
}
