import type { ListenOptions } from "./listen.ts";

type RequestHandler = ListenOptions["fetch"];

/** A function that answers requests until it is drained. */
export interface Drainable {
  fetch: RequestHandler;
  /** Requests in progress are answered, later ones are not; each response ends its connection. */
  drain(): void;
}

/** Makes a listener close alike on every runtime, whichever connections are still open. */
export function drainable(fetch: RequestHandler): Drainable {
  let isDraining = false;
  return {
    async fetch(request) {
      if (isDraining) return lastResponse(new Response(null, { status: 503 }));
      const response = await fetch(request);
      return isDraining || hasUnreadBody(request) ? lastResponse(response) : response;
    },
    drain: () => void (isDraining = true),
  };
}

/** Makes a response the last one of its connection (RFC 9112, section 9.6). */
function lastResponse(response: Response): Response {
  try {
    response.headers.set("Connection", "close");
    return response;
  } catch {
    // The headers of a response that was fetched, or made by `Response.redirect`, are immutable.
    const { body, status, headers } = response;
    return new Response(body, { status, headers: [...headers, ["Connection", "close"]] });
  }
}

/**
 * Whether a request announced a body that was not read. A connection that is kept alive after the
 * response waits for the rest of it, for as long as the client likes.
 */
function hasUnreadBody({ bodyUsed, headers }: Request): boolean {
  if (bodyUsed) return false;
  return headers.has("Transfer-Encoding") || Number(headers.get("Content-Length")) > 0;
}
