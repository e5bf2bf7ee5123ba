import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { BoundedMap } from "../../../server/util/values/bounded_map.ts";
import type { RespondStrictly } from "../../handling/stand_in.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { MessageRequest } from "./message_request.ts";
import type { OAuth2Issuer } from "./oauth2_issuer.ts";
import type {
  MutableResponse,
  NodeMessage,
  OAuth2Endpoints,
  ScopesOrTransform,
  TokenRequestIncomingMessage,
} from "./types.ts";

/** What an authorization request left behind for the code that it got. */
export interface PendingCode {
  nonce: string | undefined;
  challenge: string | undefined;
  method: string;
}

/** What the endpoints share. */
export interface MockParts {
  issuer: OAuth2Issuer;
  endpoints: OAuth2Endpoints;
  /** Calls the listeners of the test. */
  emit(event: string, ...values: unknown[]): void;
  /** The codes that were issued. */
  codes: BoundedMap<PendingCode>;
  /** The access tokens of the server, by those that clients got in place of them. */
  originals: BoundedMap<string>;
  /** Builds a token, and lets the listeners change it. */
  buildToken(
    message: TokenRequestIncomingMessage,
    expiresIn: number,
    wanted: ScopesOrTransform | undefined,
  ): Promise<string>;
}

/** A request, and what the server alone makes of it. */
export interface MockExchange {
  request: IncomingRequest;
  wireRequest: WireRequest;
  message: NodeMessage;
  /** Whether refusals of the server are sent. */
  isStrict: boolean;
  /** Lets the server respond. Throws a `StrictRefusal` if refusals are wanted. */
  respondStrictly: RespondStrictly;
}

/** Returns the message of Node that a request came in; one that looks like it in process. */
export function messageOf(request: IncomingRequest, wireRequest: WireRequest): NodeMessage {
  const original = request.toRequest();
  if (original instanceof MessageRequest) return original.message;
  const { method, url, headers } = wireRequest;
  const { pathname, search } = new URL(url);
  return {
    method,
    url: `${pathname}${search}`,
    headers,
    async *[Symbol.asyncIterator]() {},
  };
}

/** Responds with the JSON that the listeners of the test left. */
export function mutableResponse(
  { statusCode, body }: MutableResponse,
  headers: ResponseData["headers"] = [],
): ResponseData {
  return {
    status: statusCode,
    headers: [["Content-Type", "application/json; charset=utf-8"], ...headers],
    body: isBodiless(statusCode) ? null : JSON.stringify(body),
  };
}

/** Redirects to the URL that the listeners of the test left. */
export function redirectResponse(url: URL): ResponseData {
  return { status: 302, headers: [["Location", url.href]], body: null };
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
