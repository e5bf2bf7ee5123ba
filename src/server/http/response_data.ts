import { isObject } from "../util/text/json.ts";

/** Headers in the order in which they are sent. A name may occur twice, as `Set-Cookie` does. */
export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

export interface ResponseData {
  /** The HTTP status. */
  readonly status: number;
  /** The headers. */
  readonly headers: HeaderList;
  /** The body. It is a stream only if a handler of the configuration made the response. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/** Converts plain data to a response of the platform. */
export function toResponse({ status, headers, body }: ResponseData): Response {
  // Headers stay among the options: a service worker that wraps Response reads cookies there. The
  // platform copies the list.
  return new Response(body, { status, headers: headers as Array<[string, string]> });
}

/** Converts a response of the platform to plain data. */
export function toResponseData({ status, headers, body }: Response): ResponseData {
  return { status, headers: [...headers], body };
}

/** Whether a value is a response as plain data. */
export function isResponseData(value: unknown): value is ResponseData {
  return isObject(value) && typeof value.status === "number" && Array.isArray(value.headers);
}

/** Returns a response with additional headers. They replace those with the same names. */
export function withHeaders<T extends ResponseData>(response: T, headers: HeaderList): T {
  const kept = response.headers.filter(([name]) =>
    !headers.some(([added]) => isSameName(added, name) && !isRepeatable(name))
  );
  return { ...response, headers: [...kept, ...headers] };
}

/** Whether two names are of the same header: the case does not matter. */
export function isSameName(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}

/** Whether a header may occur more than once. */
function isRepeatable(name: string): boolean {
  return isSameName(name, "Set-Cookie") || isSameName(name, "Vary");
}

/**
 * Returns the response to a HEAD request, from that to a GET. Without a Content-Length, some
 * runtimes would say that the body is empty (RFC 9110, section 8.6).
 */
export function withoutBody(response: ResponseData): ResponseData {
  const { body } = response;
  if (body === null || body instanceof ReadableStream) return { ...response, body: null };
  const length = String(new Blob([body]).size);
  return { ...withHeaders(response, [["Content-Length", length]]), body: null };
}

/**
 * Lists headers as the platform does: in lower case, sorted, and with the values of a name joined.
 */
export function listHeaders(headers: HeaderList): Array<[name: string, value: string]> {
  const listed = headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  // The order of equal names stays.
  listed.sort(([a], [b]) => Number(a > b) - Number(a < b));
  // How values are joined depends on their name.
  // Only saves time: the platform lists them in the same way.
  if (listed.some(([name], at) => name === listed[at + 1]?.[0])) return [...new Headers(listed)];
  return listed;
}
