import type { IncomingMessage } from "node:http";
import {
  OutboundError,
  type OutboundFetch,
  type OutboundRequest,
} from "../server/http/outbound_fetch.ts";
import { isPublicAddress } from "../server/util/addresses/ip_address.ts";
import { isLoopbackHost } from "../server/util/addresses/uri.ts";
import { createUntrustedResolver, resolveBySystem, type ResolveHost } from "./resolve_host.ts";

/** The size limit of a response, in bytes. */
const maxBytes = 1024 * 1024;

/** The statuses of responses without a body. */
const emptyStatuses = [204, 205, 304];

/**
 * Deno itself trusts the certificates of NODE_EXTRA_CA_CERTS. Its `node:https` reads the file again
 * unless `ca` is set, which needs permissions that the program does not have.
 */
const certificateOptions = "Deno" in globalThis ? { ca: "" } : {};

/** Which hosts `guardedFetch` reaches, and how it finds them. */
export interface GuardOptions {
  /** Allow requests to this machine and its network, and plain http to loopback hosts. */
  allowPrivate?: boolean;
  /**
   * Resolves a host name to addresses, until the signal aborts.
   *
   * @default the name servers of the system; with `allowPrivate` its hosts file, too
   */
  resolve?: ResolveHost;
}

/** A URL, and the address to connect to. */
interface Target {
  url: URL;
  /** The host name of the URL, without the brackets of IPv6. */
  hostname: string;
  address: string;
}

/**
 * Returns a fetch for the URLs of untrusted clients, which reaches the public internet only. It
 * checks the addresses after the name was resolved, and connects to exactly those, so that the name
 * cannot resolve to something else a moment later (DNS rebinding). It follows no redirects and uses
 * no proxy.
 */
export function guardedFetch(
  { allowPrivate = false, resolve = resolverFor(allowPrivate) }: GuardOptions = {},
): OutboundFetch {
  return async (text, request) => {
    const url = new URL(text);
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    const isPlain = url.protocol === "http:" && allowPrivate && isLoopbackHost(hostname);
    if (url.protocol !== "https:" && !isPlain) throw new OutboundError("the URL is not https");
    if (url.username !== "" || url.password !== "") {
      throw new OutboundError("the URL contains user information");
    }
    const resolved = isAddress(hostname) ? [hostname] : await resolve(hostname, request.signal);
    const [first, ...others] = resolved
      .filter((address) => allowPrivate || isPublicAddress(address))
      .map((address) => ({ url, hostname, address }));
    if (!first) throw new OutboundError(`the host '${hostname}' has no public address`);
    return await connectToFirst(first, others, request);
  };
}

/** If private addresses are allowed, so are the names of this machine's network. */
function resolverFor(allowPrivate: boolean): ResolveHost {
  return allowPrivate ? resolveBySystem : createUntrustedResolver();
}

function isAddress(hostname: string): boolean {
  return hostname.includes(":") || /^[\d.]+$/.test(hostname);
}

/** Tries the targets in turn until one can be connected to. A machine may have no route to some. */
async function connectToFirst(
  target: Target,
  [next, ...others]: readonly Target[],
  request: OutboundRequest,
): Promise<Response> {
  try {
    return await send(target, request);
  } catch (cause) {
    const isUnreached = cause instanceof Error && "syscall" in cause && cause.syscall === "connect";
    if (!isUnreached || !next) throw cause;
    return await connectToFirst(next, others, request);
  }
}

/** Connects to the address with the name of the host, which its certificate must contain. */
async function send(
  { url, hostname, address }: Target,
  { method, headers, body, signal }: OutboundRequest,
): Promise<Response> {
  const isSecure = url.protocol === "https:";
  // Most servers fetch nothing, and Bun takes longer to load these than to start our program.
  const { request: open } = isSecure ? await import("node:https") : await import("node:http");
  return await new Promise((resolve, reject) => {
    const request = open({
      host: address,
      ...!isAddress(hostname) && { servername: hostname },
      port: url.port || (isSecure ? 443 : 80),
      path: url.pathname + url.search,
      method,
      headers: { ...headers, Host: url.host },
      // A new connection: neither one made for another name nor the proxy of the environment.
      agent: false,
      ...certificateOptions,
    });
    let hasResponse = false;
    const abort = () => request.destroy(new OutboundError("the request was aborted"));
    signal.addEventListener("abort", abort, { once: true });
    request.once("error", reject);
    // A server that switches protocols sends no response after that.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new OutboundError("the response has the status 101", { isFinal: true }));
    });
    request.once("response", (message) => {
      hasResponse = true;
      readResponse(message).then(resolve, reject).finally(() => request.destroy());
    });
    request.once("close", () => {
      signal.removeEventListener("abort", abort);
      // A response may still be read although its connection is closed.
      if (!hasResponse) reject(new OutboundError("the connection was closed without a response"));
    });
    if (signal.aborted) abort();
    else request.end(body);
  });
}

async function readResponse(message: IncomingMessage): Promise<Response> {
  const chunks: BlobPart[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new OutboundError(`the response is larger than ${maxBytes} bytes`, { isFinal: true });
    }
    chunks.push(chunk);
  }
  const status = message.statusCode ?? 0;
  if (status < 200) {
    throw new OutboundError(`the response has the status ${status}`, { isFinal: true });
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    headers.set(name, [value].flat().join(", "));
  }
  const body = emptyStatuses.includes(status) ? null : new Blob(chunks);
  return new Response(body, { status, headers });
}
