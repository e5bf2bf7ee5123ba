import { type FormParameters, parseParameters } from "../protocol/form_parameters.ts";
import { type ApplyRule, applyRule } from "../protocol/rule.ts";
import { parseJson } from "../util/text/json.ts";
import { memoize } from "../util/values/memoize.ts";
import {
  type BodyReader,
  bodyRules,
  decodeBody,
  type ReadBytes,
  receiveBody,
  type ReceivedBody,
  type SentBody,
} from "./received_body.ts";

/** The types of requests are few, and long ones are not remembered. */
const maxRememberedTypes = 100;

const typeOf = memoize(readMediaType, maxRememberedTypes);

const utf8 = /^charset=(?:utf-8|"utf-8")$/;

/** The headers of a request. The case of a name does not matter. */
export interface RequestHeaders extends Iterable<[name: string, value: string]> {
  /** Returns the value of a header, or null. */
  get(name: string): string | null;
  /** Whether the request has a header. */
  has(name: string): boolean;
}

/** How a request arrived, as far as only what passes it on to the server knows. */
export interface RequestArrival {
  /** The URL that the client sent it to, without the query, if that is not the one of the request. */
  readonly sentTo?: string | undefined;
  /** Sets its sender apart from others in the same network. */
  readonly senderGroup?: string | undefined;
}

export interface IncomingRequest extends RequestArrival {
  /** The HTTP method. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
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
  toRequest(): Promise<Request>;
}

/** What is read of a request of the platform, or of a listener that makes one only when asked. */
export interface SentRequest extends SentBody {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly signal: AbortSignal;
  /** Returns the request of the platform, if this is none. */
  toRequest?(): Promise<Request>;
}

/** What a listener knows about a request beyond the request of the platform. */
export interface RequestTransport {
  peer?: string | undefined;
  certificates?: IncomingRequest["certificates"];
  headers?: RequestHeaders | undefined;
  /** Reads the body faster than the methods of the request do. */
  readBytes?: ReadBytes | undefined;
}

/** Makes an incoming request. A listener that follows bodies reads them with a `bodyReader`. */
export function createIncomingRequest(
  request: SentRequest & {
    /**
     * An application that wraps `fetch` passes on only the request. So the listeners of `serve`
     * write the address here, as other listeners for Node do.
     */
    ip?: string | undefined;
    certificates?: IncomingRequest["certificates"];
  },
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
    async toRequest() {
      const passed = request.toRequest ? await request.toRequest() : request as Request;
      // On Node, the address cannot be assigned, and is gone once the connection is closed.
      Object.defineProperty(passed, "ip", { value: peer, configurable: true });
      return certificates ? Object.assign(passed, { certificates }) : passed;
    },
  };
}

interface RuledRequest {
  /** Its body is decoded by rules. A request that was made elsewhere decodes it as it likes. */
  readonly request: IncomingRequest & { text(apply?: ApplyRule): Promise<string> };
  readonly apply: ApplyRule;
}

export function readQuery({ request, apply }: RuledRequest): FormParameters {
  return parseParameters(apply, new URL(request.url).search.slice(1));
}

/** Reads the parameters of a form (OAuth 2.1, section 3.2.2). */
export async function readForm({ request, apply }: RuledRequest): Promise<FormParameters> {
  apply(bodyRules.form, mediaType(request.headers));
  return parseParameters(apply, await request.text(apply));
}

export async function readJson({ request, apply }: RuledRequest): Promise<unknown> {
  apply(bodyRules.json_type, mediaType(request.headers));
  const value = parseJson(await request.text(apply));
  apply(bodyRules.json, value);
  return value;
}

/** Returns the media type of a body without parameters, or "" if its charset is not UTF-8. */
export function mediaType(headers: RequestHeaders): string {
  return typeOf(headers.get("Content-Type") ?? "");
}

function readMediaType(header: string): string {
  const [type = "", ...parameters] = header.toLowerCase().split(";").map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith("charset="));
  return charsets.every((charset) => utf8.test(charset)) ? type : "";
}
