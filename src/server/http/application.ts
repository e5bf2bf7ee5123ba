import { createIncomingRequest, type IncomingRequest } from "./incoming_request.ts";
import { type ResponseData, toResponse } from "./response_data.ts";

/** Responds to requests of a listener, and to those of the platform. */
export interface Application<Data extends ResponseData = ResponseData> {
  respond: DirectHandler<Data>;
  fetch: (request: Request) => Promise<Response>;
}

type DirectHandler<Data extends ResponseData = ResponseData> = (
  request: IncomingRequest,
) => Promise<Data>;

/** How an application is spared while its process is overloaded. */
export interface OverloadPolicy {
  /** Whether a request is served nevertheless, and first. It must cost next to nothing. */
  isProbe(request: IncomingRequest): boolean;
  /** Returns the network that counts as one sender, if it is known. Senders take turns. */
  senderOf(request: IncomingRequest): string | undefined;
  /** Learns that requests were refused, at most once a second. */
  onRefused(requests: number): void;
}

/**
 * A `fetch` that also has its handler, so that listeners skip `Request` and `Response`: these cost
 * more than most responses.
 */
interface DirectFetch {
  (request: Request): Promise<Response>;
  /**
   * `of` is the function itself. One that wraps it is another, even if it passes on its members.
   */
  direct?: { of: unknown; respond: DirectHandler; overload?: OverloadPolicy | undefined };
}

/**
 * Creates an application. This is the only place where its responses become those of the platform.
 * One without a policy is never refused anything.
 */
export function createApplication<Data extends ResponseData>(
  respond: DirectHandler<Data>,
  overload?: OverloadPolicy,
): Application<Data> {
  const fetch: DirectFetch = async (request) =>
    toResponse(await respond(createIncomingRequest(request)));
  fetch.direct = { of: fetch, respond, overload };
  return { respond, fetch };
}

/** Returns the direct handler of a `fetch`, if it has one and nothing wraps it. */
export function directHandlerOf(fetch: DirectFetch): DirectHandler | undefined {
  return fetch.direct?.of === fetch ? fetch.direct.respond : undefined;
}

/** Returns the policy of a `fetch`, if it has one and nothing wraps it. */
export function overloadOf(fetch: DirectFetch): OverloadPolicy | undefined {
  return fetch.direct?.of === fetch ? fetch.direct.overload : undefined;
}
