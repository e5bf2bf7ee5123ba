import { isWebUrl } from "../util/uri.ts";

/** Headers in the order in which they are sent; a name may stand there twice, as `Set-Cookie` does. */
export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

const noSniff: HeaderList = [["X-Content-Type-Options", "nosniff"]];

/** What holds a token or a secret may be kept by no cache (OAuth 2.1, section 3.2.3). */
const noStore: HeaderList = [["Cache-Control", "no-store"], ...noSniff];

/**
 * A page can be framed by nobody, loads nothing from elsewhere and tells nobody where it was (RFC 9700, sections 4.2.4 and 4.16).
 * The one exception are the URLs that it shows in frames: those of clients that are told of a sign-out.
 */
function pageHeaders(page: string, frames: readonly string[]): HeaderList {
  // A page without a script of ours runs none at all.
  const scripts = page.includes("<script ") ? "'self'" : "'none'";
  // No form-action: Chromium applies it to every redirect after the form, and so to the clients themselves.
  const policy =
    `default-src 'none'; style-src 'self'; script-src ${scripts}; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`;
  // An origin such as `https://a;sandbox` would add directives of its own to the policy.
  const origins = new Set(frames.filter(isWebUrl).map((url) => new URL(url).origin));
  return [
    ["Content-Type", "text/html; charset=utf-8"],
    ...noStore,
    [
      "Content-Security-Policy",
      origins.size > 0 ? `${policy}; frame-src ${[...origins].join(" ")}` : policy,
    ],
    ["X-Frame-Options", "DENY"],
    ["Referrer-Policy", "no-referrer"],
  ];
}

export function json(value: unknown, status = 200, headers: HeaderList = []): Response {
  return respond(JSON.stringify(value), status, [
    ["Content-Type", "application/json"],
    ...noStore,
    ...headers,
  ]);
}

/** An answer that is signed as a whole. */
export function jwt(
  text: string,
  headers: HeaderList = [],
  contentType = "application/jwt",
): Response {
  return respond(text, 200, [["Content-Type", contentType], ...noStore, ...headers]);
}

/** What is the same for everybody may be kept for a while, in seconds. */
export function publicText(text: string, contentType: string, maxAge: number): Response {
  return respond(text, 200, [["Content-Type", contentType], [
    "Cache-Control",
    `public, max-age=${maxAge}`,
  ], ...noSniff]);
}

export function html(
  page: string,
  status = 200,
  headers: HeaderList = [],
  frames: readonly string[] = [],
): Response {
  return respond(page, status, [...pageHeaders(page, frames), ...headers]);
}

/** 303 and nothing else: the method becomes GET, and what a form held is not sent on (RFC 9700, section 4.12). */
export function redirect(location: string, headers: HeaderList = []): Response {
  return respond(null, 303, [
    ["Location", location],
    ...noStore,
    ["Referrer-Policy", "no-referrer"],
    ...headers,
  ]);
}

export function empty(status: number, headers: HeaderList = []): Response {
  return respond(null, status, [...noStore, ...headers]);
}

const written = Symbol.for("hallpass.written");

/** An answer, and the text that was written into it. */
type ResponseWithText = Response & { [written]?: string };

/** The text of an answer that was made here: whoever watches or sends it need not read it from a stream. */
export function textOf(response: ResponseWithText): string | undefined {
  return response[written];
}

function respond(body: string | null, status: number, headers: HeaderList): Response {
  const response: ResponseWithText = new Response(body, {
    status,
    headers: headers as Array<[string, string]>,
  });
  if (body !== null) response[written] = body;
  return response;
}
