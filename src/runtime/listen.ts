/** One listening socket and the function that answers on it. */
export interface ListenOptions {
  fetch: (request: Request) => Promise<Response>;
  hostname: string;
  port: number;
  cert?: string;
  key?: string;
}

/** A server that listens. */
export interface Listening {
  /** The port on which it listens. */
  port: number;
  /** Stops listening, lets what is in flight finish, and resolves when all is quiet. */
  close(): Promise<void>;
}

export type Listen = (options: ListenOptions) => Promise<Listening>;

/** The last resort, should answering itself fail: no stack trace goes out. */
export function failureResponse(): Response {
  return new Response(null, { status: 500 });
}

/** Whether listening failed because somebody else listens there. */
export function isTaken(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
}
