import { applyRule } from "../protocol/rule.ts";
import type { ReceivedBody } from "./body_rules.ts";
import { type BodyReader, decodeBody, type ReadBytes, receiveBody } from "./received_body.ts";

/** The headers of a request. The case of a name does not matter. */
export interface RequestHeaders extends Iterable<[name: string, value: string]> {
  /** Returns the value of a header, or null. */
  get(name: string): string | null;
  /** Whether the request has a header. */
  has(name: string): boolean;
}

/** A request as it arrived. */
export interface IncomingRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The headers. */
  readonly headers: RequestHeaders;
  /** The IP address of the peer, which may be a proxy; undefined if it is unknown. */
  readonly peer: string | undefined;
  /** Returns the signal that aborts when the client closes the connection. */
  signal(): AbortSignal;
  /** Whether the body was read, or is being read. */
  isBodyUsed(): boolean;
  /** Reads the body as text of limited length. Can be called more than once. */
  text(): Promise<string>;
  /** Returns the request of the platform, for handlers that expect one. */
  toRequest(): Request;
}

/** What a listener knows about a request beyond the request of the platform. */
export interface RequestTransport {
  peer?: string | undefined;
  headers?: RequestHeaders | undefined;
  /** Reads the body faster than the methods of the request do. */
  readBytes?: ReadBytes | undefined;
  /** Follows how the body arrives. */
  bodyReader?: BodyReader | undefined;
}

/** A request of the platform, with the address of the peer if its listener knows it. */
interface AddressedRequest extends Request {
  /**
   * An application that wraps `fetch` passes on only the request. So the listeners of `serve` write
   * the address here, as other listeners for Node do.
   */
  ip?: string | undefined;
}

/** Makes an incoming request from a request of the platform. */
export function createIncomingRequest(
  request: AddressedRequest,
  { peer = request.ip, headers = request.headers, readBytes, bodyReader }: RequestTransport = {},
): IncomingRequest {
  let body: Promise<ReceivedBody> | undefined;
  // Getters would make this object thirty times as costly.
  return {
    method: request.method,
    url: request.url,
    headers,
    peer,
    signal: () => request.signal,
    isBodyUsed: () => body !== undefined || request.bodyUsed,
    async text(apply = applyRule) {
      body ??= receiveBody(request, { readBytes, bodyReader });
      return decodeBody(apply, await body);
    },
    toRequest: () => request.ip === peer ? request : Object.assign(request, { ip: peer }),
  };
}
