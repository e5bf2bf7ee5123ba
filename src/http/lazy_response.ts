import { lazily } from "../util/lazy.ts";
import { listHeaders } from "./header_list.ts";

/** Headers in the order in which they are sent. A name may occur twice, as `Set-Cookie` does. */
export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

/** A response as plain data. */
export interface ResponseParts {
  status: number;
  headers: HeaderList;
  body: string | Uint8Array<ArrayBuffer> | null;
}

type ApplicationFetch = (request: Request) => Promise<Response>;

const partsKey: unique symbol = Symbol.for("hallpass.response_parts");
const platformKey: unique symbol = Symbol.for("hallpass.platform_response");
const textKey: unique symbol = Symbol.for("hallpass.response_text");
const lazyKey: unique symbol = Symbol.for("hallpass.lazy_fetch");

/** A response that was made here, and what is known of it. */
interface OwnResponse extends Response {
  /** What the platform's response will be made of. */
  [partsKey]?: ResponseParts | undefined;
  /** The platform's response, once something needed it. */
  [platformKey]?: Response;
  /** The text of the body. */
  [textKey]?: string;
}

interface OwnFetch extends ApplicationFetch {
  [lazyKey]?: ApplicationFetch;
}

/** Node loads its `Response` when it is first named, which takes as long as a small program. */
const prototype = lazily(() => createPrototype(Response.prototype));

/**
 * Makes a response that is plain data until something looks at it. On Node, the response of the
 * platform and its headers cost more than everything else in a small answer, and the runtime needs
 * neither.
 */
export function lazyResponse(parts: ResponseParts): Response {
  const response: OwnResponse = Object.create(prototype());
  response[partsKey] = parts;
  return response;
}

/** Returns the parts of a response, unless it became a response of the platform. */
export function partsOf(response: OwnResponse): ResponseParts | undefined {
  return response[partsKey];
}

/** Returns the response of the platform, which alone other programs accept. */
export function platformResponse(response: Response): Response {
  return toPlatform(response);
}

function toPlatform(response: OwnResponse): OwnResponse {
  const parts = response[partsKey];
  if (!parts) return response[platformKey] ?? response;
  const { body, status } = parts;
  const headers = parts.headers.map(([name, value]): [string, string] => [name, value]);
  const platform: OwnResponse = new Response(body, { status, headers });
  if (typeof body === "string") platform[textKey] = body;
  response[platformKey] = platform;
  // Its headers may change from now on.
  response[partsKey] = undefined;
  return platform;
}

/** Returns the text of a response that was made here, without reading its stream. */
export function responseText(response: OwnResponse): string | undefined {
  const parts = response[partsKey];
  if (!parts) return toPlatform(response)[textKey];
  if (parts.body === null) return "";
  return typeof parts.body === "string" ? parts.body : undefined;
}

/** Lists the headers of a response. It remains plain data if it is. */
export function responseHeaders(response: Response): Array<[name: string, value: string]> {
  const headers = partsOf(response)?.headers;
  return headers ? listHeaders(headers) : [...response.headers];
}

/** Returns a response with additional headers. They replace those with the same names. */
export function withHeaders(response: Response, headers: HeaderList): Response {
  const parts = partsOf(response);
  if (parts) return lazyResponse({ ...parts, headers: [...parts.headers, ...headers] });
  const { body, status, statusText } = response;
  const all = new Headers(response.headers);
  for (const [name, value] of headers) {
    if (name === "Vary") all.append(name, value);
    else all.set(name, value);
  }
  // The headers of a response from `fetch` or `Response.redirect` are immutable.
  return new Response(body, { status, statusText, headers: all });
}

/** Returns the response to a HEAD request, from that to a GET. */
export function withoutBody(response: Response): Response {
  const parts = partsOf(response);
  return parts ? lazyResponse({ ...parts, body: null }) : new Response(null, response);
}

/**
 * Makes the `fetch` of an application, whose responses are those of the platform. A listener of ours
 * finds the responses as they were before.
 */
export function platformFetch(fetch: ApplicationFetch): ApplicationFetch {
  const platform: OwnFetch = async (request) => platformResponse(await fetch(request));
  platform[lazyKey] = fetch;
  return platform;
}

/** Returns the handler that the `fetch` of an application was made of, or else that. */
export function lazyFetch(application: { fetch: OwnFetch }): ApplicationFetch {
  return application.fetch[lazyKey] ?? ((request) => application.fetch(request));
}

/** Has every member of a response, and makes the platform's response when one is used. */
export function createPrototype(platform: object): object {
  const members = membersOf(platform);
  const forwarded = members.filter(([name]) => name !== "constructor").map(([name, member]) => [
    name,
    typeof member.value === "function" ? forwardCall(member.value) : forwardRead(name),
  ]);
  const prototype = Object.create(platform, Object.fromEntries(forwarded));
  return Object.defineProperty(prototype, "status", {
    get(this: OwnResponse) {
      return this[partsKey]?.status ?? platformResponse(this).status;
    },
  });
}

/**
 * Lists members with the inherited ones: some programs put a class of theirs in the place of
 * `Response`.
 */
function membersOf(prototype: object): Array<[name: string, member: PropertyDescriptor]> {
  const parent: object | null = Object.getPrototypeOf(prototype);
  const inherited = parent === null || parent === Object.prototype ? [] : membersOf(parent);
  return [...inherited, ...Object.entries(Object.getOwnPropertyDescriptors(prototype))];
}

function forwardCall(method: (...args: unknown[]) => unknown): PropertyDescriptor {
  return {
    value(this: Response, ...args: unknown[]) {
      return method.apply(platformResponse(this), args);
    },
  };
}

function forwardRead(name: string): PropertyDescriptor {
  return {
    get(this: Response) {
      return platformResponse(this)[name as keyof Response];
    },
    configurable: true,
  };
}
