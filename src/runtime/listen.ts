/**
 * How long a connection may be idle between two requests, in seconds. It is longer than proxies keep
 * one (nginx 60, Traefik 90, Caddy 120), so that a request never meets a connection that is closing.
 */
export const idleTimeout = 150;

/** Where to listen, and the handler of the requests. */
export interface ListenOptions {
  fetch: (request: Request) => Promise<Response>;
  hostname: string;
  port: number;
  cert?: string | undefined;
  key?: string | undefined;
}

/** A listening server. */
export interface Listening {
  /** The port on which it listens. */
  port: number;
  /** Stops listening, and resolves when the requests in progress are finished. */
  close(): Promise<void>;
}

export type Listen = (options: ListenOptions) => Promise<Listening>;

/** Makes the response for an error that no handler caught. It reveals no stack trace. */
export function failureResponse(): Response {
  return new Response(null, { status: 500 });
}

/** Whether listening failed because the port is in use. */
export function isPortTaken(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
}

/**
 * Makes the response to a peer that has disconnected already. Its address is unknown, so its request
 * could not be charged to its own budget, and one sender could use up the budget that all share.
 */
export function disconnectedResponse(): Response {
  return new Response(null, { status: 400 });
}
