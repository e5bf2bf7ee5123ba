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
  let late: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => late = setTimeout(() => reject(new OutsideError("no answer in time")), patience));
  try {
    return await Promise.race([ask(), timeout]);
  } catch (cause) {
    if (cause instanceof OutsideError) throw cause;
    throw new OutsideError("the request failed", { cause });
  } finally {
    clearTimeout(late);
    stop.abort();
  }

  async function ask(): Promise<OutsideAnswer> {
    const response = await fetch(url, { ...request, redirect: "manual", signal: stop.signal });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new OutsideError("the answer is a redirect");
    }
    return { status: response.status, headers: response.headers, text: await readText(response, largest) };
  }
}

async function readText(response: Response, largest: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > largest) throw new OutsideError(`the answer is larger than ${largest} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
