import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { OutboundError, type OutboundFetch, type OutboundRequest } from "../http/outbound_fetch.ts";
import { isPublicAddress } from "../util/ip_address.ts";
import { isLoopbackHost } from "../util/uri.ts";

/** Options of `guardedFetch`. */
export interface GuardOptions {
  /** Let it reach this machine and its network, by http where that is loopback. Default: false. */
  allowPrivate?: boolean;
  /** Looks a name up. Default: the system's resolver. */
  resolve?: (hostname: string) => Promise<readonly string[]>;
}

/** In bytes. */
const maxBytes = 1024 * 1024;

/**
 * Fetches what strangers point to, from the public internet alone: an address is judged after the name was looked up, and it is
 * that very address that is connected to, so that a name cannot lead elsewhere a moment later. Redirects and proxies are not followed.
 */
export function guardedFetch(
  { allowPrivate = false, resolve = resolveBySystem }: GuardOptions = {},
): OutboundFetch {
  return async (text, request) => {
    const url = new URL(text);
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    const isPlain = url.protocol === "http:" && allowPrivate && isLoopbackHost(hostname);
    if (url.protocol !== "https:" && !isPlain) throw new OutboundError("only https is fetched");
    if (url.username !== "" || url.password !== "") {
      throw new OutboundError("the URL holds user information");
    }
    const found = isAddress(hostname) ? [hostname] : await resolve(hostname);
    const addresses = found.filter((address) => allowPrivate || isPublicAddress(address));
    if (addresses.length === 0) {
      throw new OutboundError(`the host '${hostname}' has no public address`);
    }
    return await connectToFirst(
      addresses,
      (address) => send(isPlain ? http : https, { url, hostname, address }, request),
    );
  };
}

async function resolveBySystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

function isAddress(hostname: string): boolean {
  return hostname.includes(":") || /^[\d.]+$/.test(hostname);
}

/** A machine may have no way to some of the addresses; where nothing was sent yet, the next one is tried. */
async function connectToFirst(
  [address, ...others]: readonly string[],
  act: (address: string) => Promise<Response>,
): Promise<Response> {
  try {
    return await act(address);
  } catch (cause) {
    const isUnreached = cause instanceof Error && "syscall" in cause && cause.syscall === "connect";
    if (!isUnreached || others.length === 0) throw cause;
    return await connectToFirst(others, act);
  }
}

/**
 * Deno knows the certificates of NODE_EXTRA_CA_CERTS by itself. Its `node:https` reads them once more,
 * which takes permissions that the program does not have, unless `ca` says something.
 */
const ownCertificates = "Deno" in globalThis ? { ca: "" } : {};

/** Connects to the address, and talks to the host: its name is in the certificate that is checked. */
function send(
  { request: open }: Pick<typeof https, "request">,
  { url, hostname, address }: { url: URL; hostname: string; address: string },
  { method, headers, body, signal }: OutboundRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = open({
      host: address,
      servername: isAddress(hostname) ? undefined : hostname,
      port: url.port || (url.protocol === "https:" ? 443 : 80),
      path: url.pathname + url.search,
      method,
      headers: { ...headers, Host: url.host },
      // A connection of its own: none that was made for another name, and no proxy that the environment names.
      agent: false,
      ...ownCertificates,
    });
    let hasResponse = false;
    const stop = () => request.destroy(new OutboundError("the request was given up"));
    signal.addEventListener("abort", stop, { once: true });
    request.once("error", reject);
    // A server that switches protocols sends no response after that.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new OutboundError("the answer has the status 101", { isFinal: true }));
    });
    request.once("response", (message) => {
      hasResponse = true;
      readResponse(message).then(resolve, reject).finally(() => request.destroy());
    });
    request.once("close", () => {
      signal.removeEventListener("abort", stop);
      // A response may still be read when its connection is closed already.
      if (!hasResponse) {
        reject(new OutboundError("the connection was closed before an answer came"));
      }
    });
    if (signal.aborted) stop();
    else request.end(body);
  });
}

async function readResponse(message: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new OutboundError(`the answer is larger than ${maxBytes} bytes`, { isFinal: true });
    }
    chunks.push(chunk);
  }
  const status = message.statusCode ?? 0;
  if (status < 200) {
    throw new OutboundError(`the answer has the status ${status}`, { isFinal: true });
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    headers.set(name, [value].flat().join(", "));
  }
  return new Response([204, 205, 304].includes(status) ? null : new Blob(chunks as BlobPart[]), {
    status,
    headers,
  });
}
