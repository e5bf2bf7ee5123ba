import type { IncomingRequest } from "../server/http/incoming_request.ts";
import {
  type HeaderList,
  isSameName,
  type ResponseData,
  toResponseData,
  withHeaders,
} from "../server/http/response_data.ts";
import { hasErrorCode } from "../server/util/text/error_message.ts";

/**
 * How long a connection may be idle between two requests, in seconds. It is longer than proxies
 * keep one (nginx 60, Traefik 90, Caddy 120), so that a request never meets a connection that is
 * closing.
 */
export const idleTimeout = 150;

/**
 * The cipher suites of TLS 1.2 that RFC 9325 recommends in section 4.2, as OpenSSL names them. By
 * default Node and Bun also offer suites with CBC, and some whose recorded connections can be
 * decrypted once the server's key is known.
 */
const tls12Suites = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
].join(":");

/**
 * All suites that a server of Node or Bun offers. Deno offers neither CBC nor static RSA, and takes
 * no list.
 */
export const cipherSuites =
  `TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:${tls12Suites}`;

/** Plain data; from an application that is not ours, a response of the platform. */
export type ServedResponse = ResponseData | Response;

export type RequestHandler = (request: IncomingRequest) => Promise<ServedResponse>;

/** Where to listen, and the handler of the requests. */
export interface ListenOptions {
  respond: RequestHandler;
  /** Is called for each connection, on Node. */
  onConnection?(): void;
  hostname: string;
  port: number;
  cert?: string | undefined;
  key?: string | undefined;
  requestCert?: boolean | undefined;
}

/** A listening server. */
export interface Listening {
  /** The port on which it listens. */
  port: number;
  /** Stops listening, and resolves when the requests in progress are finished. */
  close(): Promise<void>;
  /** Lets the process end while it listens, on Node: runners elsewhere end it themselves. */
  unref?(): void;
}

/** Whether a response is one of the platform. On Node, `instanceof` would load its class. */
export function isPlatformResponse(response: ServedResponse): response is Response {
  return !Array.isArray(response.headers);
}

/**
 * Makes the response of the platform for a listener. Deno appends headers in a quarter of the time
 * that a list among the options takes. `toResponse`, for `fetch`, keeps the list.
 */
export function platformResponse(response: ServedResponse): Response {
  if (isPlatformResponse(response)) return response;
  const { status, headers, body } = response;
  // Without a Content-Type among the options, the platform would add one for a text.
  const type = headers.find(([name]) => isSameName(name, "Content-Type"));
  const options = type ? { status, headers: { "Content-Type": type[1] } } : { status };
  const converted = new Response(body, options);
  for (const header of headers) if (header !== type) converted.headers.append(...header);
  return converted;
}

export function addHeaders(response: ServedResponse, headers: HeaderList): ServedResponse {
  return withHeaders(isPlatformResponse(response) ? toResponseData(response) : response, headers);
}

export type Listen = (options: ListenOptions) => Promise<Listening>;

/** Makes the response for an error that no handler caught. It reveals no stack trace. */
export function failureResponse(): Response {
  return new Response(null, { status: 500 });
}

/** Whether listening failed because the port is in use. */
export function isPortTaken(cause: unknown): boolean {
  return hasErrorCode(cause, "EADDRINUSE");
}

/**
 * Makes the response to a peer that has disconnected already. Its address is unknown, so its
 * request could not be charged to its own budget, and one sender could use up the budget that all
 * share.
 */
export const disconnectedResponse: ResponseData = { status: 400, headers: [], body: null };
