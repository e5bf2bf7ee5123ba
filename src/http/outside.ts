import { OAuthError } from "../protocol/oauth_error.ts";
import { within } from "./patience.ts";
import { readStream } from "./read_stream.ts";

/** Fetches something from outside this server. */
export type Fetch = (url: string, init: OutsideRequest) => Promise<Response>;

/** The few things that are ever asked of the outside. */
export interface OutsideRequest {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  /** An answer from elsewhere than asked is none. */
  redirect: "error" | "manual";
  signal: AbortSignal;
}

/** What came from outside, read to its end. */
export interface OutsideAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Bounds {
  /** In milliseconds. */
  patience: number;
  /** In bytes. */
  largest: number;
}

/** Why nothing came from outside, in words for the operator. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
  /** Whether the other side has answered, so that asking again is of no use. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, ...options }: ErrorOptions & { isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = isFinal;
  }
}

/** Whether something failed because of the network, or of the other side's trouble, and may work later. */
export function isTemporary(cause: unknown): boolean {
  const reason = cause instanceof OAuthError ? cause.cause : cause;
  return reason instanceof OutsideError && !reason.isFinal;
}

/** Where nobody gave a way to fetch what strangers point to, nothing is fetched. */
export function refuseToFetch(): Promise<Response> {
  throw new OutsideError("this server has no safe way to fetch from outside (fetchUntrusted)");
}

/** Asks the outside for something: without following redirects, and bounded in time and size. */
export async function fetchOutside(
  fetch: Fetch,
  url: string,
  request: Omit<OutsideRequest, "redirect" | "signal">,
  { patience, largest }: Bounds,
): Promise<OutsideAnswer> {
  const stop = new AbortController();
  try {
    return await within(patience, ask(), () => new OutsideError("no answer in time"));
  } catch (cause) {
    if (cause instanceof OutsideError) throw cause;
    throw new OutsideError("the request failed", { cause });
  } finally {
    stop.abort();
  }

  async function ask(): Promise<OutsideAnswer> {
    const response = await fetch(url, { ...request, redirect: "manual", signal: stop.signal });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new OutsideError("the answer is a redirect", { isFinal: true });
    }
    const tooLarge = () => new OutsideError(`the answer is larger than ${largest} bytes`, { isFinal: true });
    return { status: response.status, headers: response.headers, text: await readStream(response.body, largest, tooLarge) };
  }
}
