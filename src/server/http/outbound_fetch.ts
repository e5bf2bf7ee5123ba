import { OAuthError } from "../protocol/oauth_error.ts";
import { readStream } from "../util/bytes/read_stream.ts";
import { withTimeout } from "../util/time/promises.ts";

/** Sends an outbound request. */
export type OutboundFetch = (url: string, init: OutboundRequest) => Promise<Response>;

/** An outbound request: the few options that this server uses. */
export interface OutboundRequest {
  /** The HTTP method. */
  method: "GET" | "POST";
  /** The headers of the request. */
  headers: Record<string, string>;
  /** The body of a POST request. */
  body?: string;
  /** Redirects are never followed. */
  redirect: "error" | "manual";
  /** Aborts the request when the time is over. */
  signal: AbortSignal;
  /** The sender that caused the request, if the URL is that of an untrusted client. */
  sender?: string | undefined;
}

/** An outbound request before its time begins to run. */
export type UnsentRequest = Omit<OutboundRequest, "redirect" | "signal">;

/** The response to an outbound request, read completely. */
export interface OutboundResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface OutboundErrorOptions extends ErrorOptions {
  /** Whether the other side responded, so that a retry is useless. Default: false. */
  isFinal?: boolean;
  /** Whether the other side responded at all, even if it only has trouble. Default: `isFinal`. */
  isAnswered?: boolean;
  /** How long the other side asks to wait before a retry, in seconds. Default: 0. */
  retryAfter?: number | undefined;
}

/** Why an outbound request failed, for the operator. */
export class OutboundError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "OutboundError";
  override readonly name = "OutboundError";
  readonly isFinal: boolean;
  readonly isAnswered: boolean;
  readonly retryAfter: number;

  constructor(message: string, options: OutboundErrorOptions = {}) {
    super(message, options);
    const { isFinal = false, isAnswered = isFinal, retryAfter = 0 } = options;
    this.isFinal = isFinal;
    this.isAnswered = isAnswered;
    this.retryAfter = retryAfter;
  }
}

/** Whether a retry may help: the network failed, or the other side had trouble. */
export function isTemporary(cause: unknown): boolean {
  const reason = cause instanceof OAuthError ? cause.cause : cause;
  return reason instanceof OutboundError && !reason.isFinal;
}

/** Refuses every request. It is the default for URLs of untrusted clients. */
export function noFetch(): Promise<Response> {
  throw new OutboundError("this server has no safe outbound fetch (fetchUntrusted)");
}

/** Sends an outbound request within limits of time and size. A redirect is an error. */
export async function fetchOutbound(
  fetch: OutboundFetch,
  url: string,
  request: UnsentRequest,
  { timeout, maxBytes }: {
    /** In milliseconds. */
    timeout: number;
    maxBytes: number;
  },
): Promise<OutboundResponse> {
  const controller = new AbortController();
  const init = { ...request, redirect: "manual", signal: controller.signal } as const;
  const send = async () => await readResponse(await fetch(url, init), maxBytes);
  try {
    return await withTimeout(timeout, send(), () => new OutboundError("no response in time"));
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    throw new OutboundError("the request failed", { cause });
  } finally {
    controller.abort();
  }
}

async function readResponse(response: Response, maxBytes: number): Promise<OutboundResponse> {
  const { type, status, headers, body } = response;
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await body?.cancel();
    throw new OutboundError("the response is a redirect", { isFinal: true });
  }
  const tooLarge = () => {
    const isFinal = !isTemporaryStatus(status);
    return new OutboundError(`the response is larger than ${maxBytes} bytes`, { isFinal });
  };
  return { status, headers, text: await readStream(body, maxBytes, tooLarge) };
}

/** Whether a status means trouble that may pass (RFC 9110, section 15; RFC 8470; RFC 6585). */
export function isTemporaryStatus(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

/** The limits of a cache lifetime, in seconds. */
export interface CacheLimits {
  min: number;
  max: number;
  /** The lifetime of a response that does not state one. */
  byDefault: number;
}

/** Returns how long a response may be cached, in seconds (RFC 9111, section 5.2.2). */
export function cacheLifetime(headers: Headers, { min, max, byDefault }: CacheLimits): number {
  const control = headers.get("Cache-Control")?.toLowerCase() ?? "";
  if (/\bno-(store|cache)\b/.test(control)) return min;
  const [, seconds] = /\bmax-age=(\d{1,10})\b/.exec(control) ?? [];
  return seconds === undefined ? byDefault : Math.min(max, Math.max(min, Number(seconds)));
}
