import {
  createIncomingRequest,
  type IncomingRequest,
  type RequestTransport,
  type SentRequest,
} from "../server/http/incoming_request.ts";
import { createArrivingBodies } from "./arriving_bodies.ts";
import { addHeaders, type RequestHandler, type ServedResponse } from "./listen.ts";
import { isRefusal } from "./overload.ts";
import { createTurnGate } from "./turn.ts";

/**
 * How long a body of a refused request may be, in bytes, without the connection being closed after
 * the response: clients that had to connect again would delay others.
 */
const maxDiscarded = 4 * 1024;

/**
 * Wraps a handler so that a listener closes the same way on every runtime. Under load, responses of
 * one turn of the event loop are sent together: to wake a client for each of them takes as long as
 * a small request.
 */
export function createDrainableHandler(respond: RequestHandler) {
  const passGate = createTurnGate();
  const bodies = createArrivingBodies();
  let isDraining = false;

  return {
    async respond(request: SentRequest, transport: RequestTransport): Promise<ServedResponse> {
      const body = request.method === "GET" ? undefined : bodies.follow();
      const incoming = createIncomingRequest(request, transport, body?.reader);
      try {
        const response = await respond(incoming);
        const isRefused = isRefusal(response);
        // A refusal has waited for its slice already.
        if (!isRefused) await passGate();
        const isLast = isDraining || unreadBytes(incoming) > (isRefused ? maxDiscarded : 0);
        // So that this response is the last one of its connection (RFC 9112, section 9.6).
        return isLast ? addHeaders(response, [["Connection", "close"]]) : response;
      } finally {
        body?.forget();
      }
    },
    /**
     * Closes each connection after its next response: a proxy may have sent a request already.
     * Resolves when the bodies of all requests have arrived or been refused.
     */
    async drain(): Promise<void> {
      isDraining = true;
      await bodies.end();
    },
  };
}

/**
 * Returns how long an unread body is, as announced. A kept-alive connection would wait for it after
 * the response, as long as the client likes.
 */
function unreadBytes(request: IncomingRequest): number {
  const { headers } = request;
  if (request.isBodyUsed()) return 0;
  return headers.has("Transfer-Encoding") ? Infinity : Number(headers.get("Content-Length"));
}

/** Counts the requests whose responses are not sent yet, so that closing can wait for them. */
export function createRequestCounter() {
  let count = 0;
  let waiting: Array<() => void> = [];

  function end(): void {
    count--;
    if (count > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    /** Counts a request. Call the returned function when its response was sent. */
    begin(): () => void {
      count++;
      return end;
    },
    /** Resolves when no request is in progress. */
    async none(): Promise<void> {
      if (count > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
