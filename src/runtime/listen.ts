/** One listening socket and the function that answers on it. */
export interface ListenOptions {
  fetch: (request: Request) => Promise<Response>;
  hostname: string;
  port: number;
  cert?: string;
  key?: string;
}

export interface Listening {
  port: number;
  /** Stops listening, lets what is in flight finish, and resolves when all is quiet. */
  close(): Promise<void>;
}

export type Listen = (options: ListenOptions) => Promise<Listening>;

/** Tells the server who calls: the throttle counts by address. */
export function withAddress(request: Request, ip: string | undefined): Request {
  return Object.assign(request, { ip });
}

/** A last resort, should answering itself fail: no stack trace leaves the house. */
export function failed(): Response {
  return new Response(null, { status: 500 });
}
