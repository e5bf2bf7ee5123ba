import { OAuthError } from "../protocol/oauth_error.ts";
import { withTimeout } from "../util/promises.ts";
import { readStream } from "./read_stream.ts";

/** Fetches something from outside this server. */
export type OutboundFetch = (url: string, init: OutboundRequest) => Promise<Response>;

/** The few things that are ever asked of the outside. */
export interface OutboundRequest {
  /** The HTTP method. */
  method: "GET" | "POST";
  /** The headers of the request. */
  headers: Record<string, string>;
  /** The body of a POST request. */
  body?: string;
  /** An answer from elsewhere than asked is none. */
  redirect: "error" | "manual";
  /** Aborts the request when the time is over. */
  signal: AbortSignal;
}

/** What came from outside, read to its end. */
export interface OutboundResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface FetchLimits {
  /** In milliseconds. */
  timeout: number;
  /** In bytes. */
  maxBytes: number;
}

/** Why nothing came from outside, in words for the operator. */
export class OutboundError extends Error {
  override readonly name = "OutsideError";
  /** Whether the other side has answered, so that asking again is of no use. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    { isFinal = false, ...options }: ErrorOptions & { isFinal?: boolean } = {},
  ) {
    super(message, options);
    this.isFinal = isFinal;
  }
}

/** Whether something failed because of the network, or of the other side's trouble, and may work later. */
export function isTemporary(cause: unknown): boolean {
  const reason = cause instanceof OAuthError ? cause.cause : cause;
  return reason instanceof OutboundError && !reason.isFinal;
}

/** Where nobody gave a way to fetch what strangers point to, nothing is fetched. */
export function noFetch(): Promise<Response> {
  throw new OutboundError("this server has no safe way to fetch from outside (fetchUntrusted)");
}

/** Asks the outside for something: without following redirects, and bounded in time and size. */
export async function fetchOutbound(
  fetch: OutboundFetch,
  url: string,
  request: Omit<OutboundRequest, "redirect" | "signal">,
  { timeout, maxBytes }: FetchLimits,
): Promise<OutboundResponse> {
  const stop = new AbortController();
  try {
    return await withTimeout(timeout, ask(), () => new OutboundError("no answer in time"));
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    throw new OutboundError("the request failed", { cause });
  } finally {
    stop.abort();
  }

  async function ask(): Promise<OutboundResponse> {
    const response = await fetch(url, { ...request, redirect: "manual", signal: stop.signal });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new OutboundError("the answer is a redirect", { isFinal: true });
    }
    const tooLarge = () =>
      new OutboundError(`the answer is larger than ${maxBytes} bytes`, { isFinal: true });
    return {
      status: response.status,
      headers: response.headers,
      text: await readStream(response.body, maxBytes, tooLarge),
    };
  }
}
