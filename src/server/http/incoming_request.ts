import { applyRule } from "../protocol/rule.ts";
import {
  type BodyReader,
  decodeBody,
  type ReadBytes,
  receiveBody,
  type ReceivedBody,
} from "./received_body.ts";

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
  /** The certificates of the peer in DER, its own first, if it proved one to the listener. */
  readonly certificates: readonly Uint8Array[] | undefined;
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
  certificates?: IncomingRequest["certificates"];
  headers?: RequestHeaders | undefined;
  /** Reads the body faster than the methods of the request do. */
  readBytes?: ReadBytes | undefined;
}

/** A request of the platform, with what its listener knows about the peer. */
interface AddressedRequest extends Request {
  /**
   * An application that wraps `fetch` passes on only the request. So the listeners of `serve` write
   * the address here, as other listeners for Node do.
   */
  ip?: string | undefined;
  certificates?: IncomingRequest["certificates"];
}

/**
 * Makes an incoming request from a request of the platform. A listener that follows bodies reads
 * them with a `bodyReader`.
 */
export function createIncomingRequest(
  request: AddressedRequest,
  transport: RequestTransport = {},
  bodyReader?: BodyReader,
): IncomingRequest {
  const { peer = request.ip, certificates = request.certificates } = transport;
  const { headers = request.headers, readBytes } = transport;
  let body: Promise<ReceivedBody> | undefined;
  // Getters would make this object thirty times as costly.
  return {
    method: request.method,
    url: request.url,
    headers,
    peer,
    certificates,
    signal: () => request.signal,
    isBodyUsed: () => body !== undefined || request.bodyUsed,
    async text(apply = applyRule) {
      body ??= receiveBody(request, { readBytes, bodyReader });
      return decodeBody(apply, await body);
    },
    toRequest() {
      // On Node, the address is there already, and cannot be set.
      if (request.ip !== peer) Object.assign(request, { ip: peer });
      return certificates ? Object.assign(request, { certificates }) : request;
    },
  };
}
