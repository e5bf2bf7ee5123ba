import {
  challengeError,
  errorBody,
  type ErrorHelp,
  formatChallenge,
  type OAuthError,
} from "../protocol/oauth_error.ts";
import { isLoopbackName, isWebUrl, parseUrl } from "../util/addresses/uri.ts";
import { day } from "../util/time/duration.ts";
import type { IncomingRequest } from "./incoming_request.ts";
import type { HeaderList, ResponseData } from "./response_data.ts";

const noSniff: HeaderList = [["X-Content-Type-Options", "nosniff"]];

/** Responses that may contain a token or a secret must not be cached (OAuth 2.1, section 3.2.3). */
const noStore: HeaderList = [["Cache-Control", "no-store"], ...noSniff];

const noReferrer: HeaderList = [["Referrer-Policy", "no-referrer"]];

const oneYear = 365 * day;

/** Responds with JSON. It ends with a newline, for those who read it on a terminal. */
export function jsonResponse(value: unknown, status = 200, headers: HeaderList = []): ResponseData {
  const contentType = ["Content-Type", "application/json"] as const;
  const body = `${JSON.stringify(value)}\n`;
  return { status, headers: [contentType, ...noStore, ...headers], body };
}

export function jwtResponse(
  text: string,
  headers: HeaderList = [],
  contentType = "application/jwt",
): ResponseData {
  return {
    status: 200,
    headers: [["Content-Type", contentType], ...noStore, ...headers],
    body: text,
  };
}

/** Responds with a file that a browser saves. */
export function textDownload(
  text: string,
  { contentType, fileName }: { contentType: string; fileName: string },
): ResponseData {
  const disposition = `attachment; filename="${fileName}"`;
  return {
    status: 200,
    headers: [["Content-Type", contentType], ["Content-Disposition", disposition], ...noStore],
    body: text,
  };
}

/**
 * Responds with a document that is the same for everyone and may be cached, `maxAge` in seconds.
 */
export function publicResponse(
  content: string | Uint8Array<ArrayBuffer>,
  contentType: string,
  maxAge: number,
  change: "may change" | "immutable" = "may change",
): ResponseData {
  const immutable = change === "immutable" ? ", immutable" : "";
  const caching = `public, max-age=${maxAge}${immutable}`;
  return {
    status: 200,
    headers: [["Content-Type", contentType], ["Cache-Control", caching], ...noSniff],
    body: content,
  };
}

/** What a page may do beyond showing itself. */
export interface HtmlOptions {
  /** The URLs that the page shows in frames: those that clients registered for logout. */
  frames?: readonly string[];
  /** Whether its script may fetch from us. */
  isLive?: boolean;
  /**
   * Whether the window that opened the page as a popup may still watch it. Clients that sign in
   * by popup wait for the popup to come back.
   */
  keepsOpener?: boolean;
  /** Whether requests to us name the page, so that the forms of the page have a real `Origin`. */
  sendsReferrer?: boolean;
}

/**
 * Responds with a page. It cannot be framed, loads only our own files, and sends no referrer to
 * others (RFC 9700, sections 4.2.4 and 4.16).
 */
export function htmlResponse(
  page: string,
  status = 200,
  headers: HeaderList = [],
  options: HtmlOptions = {},
): ResponseData {
  const { keepsOpener = false, sendsReferrer = false } = options;
  const openerPolicy: HeaderList = keepsOpener
    ? []
    : [["Cross-Origin-Opener-Policy", "same-origin"]];
  const ofPage: HeaderList = [
    ["Content-Type", "text/html; charset=utf-8"],
    ...noStore,
    ["Content-Security-Policy", contentPolicy(page, options)],
    ["X-Frame-Options", "DENY"],
    ...openerPolicy,
    ["Referrer-Policy", sendsReferrer ? "same-origin" : "no-referrer"],
  ];
  return { status, headers: [...ofPage, ...headers], body: page };
}

function contentPolicy(page: string, { frames = [], isLive = false }: HtmlOptions): string {
  // A page without one of our scripts may run none at all.
  const scripts = page.includes("<script ") ? "'self'" : "'none'";
  // An origin such as `https://a;sandbox` would add directives to the policy.
  const origins = new Set(frames.filter(isWebUrl).map((url) => new URL(url).origin));
  // No form-action: Chromium applies it to all redirects after the form, and so to the clients.
  return [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${scripts}`,
    "img-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // The text of a page has no unescaped bracket.
    ...isLive || /<script [^>]*data-live/.test(page) ? ["connect-src 'self'"] : [],
    ...origins.size > 0 ? [`frame-src ${[...origins].join(" ")}`] : [],
  ].join("; ");
}

/** Redirects with 303, which sends neither the method nor the form on (RFC 9700, section 4.12). */
export function redirectResponse(location: string, headers: HeaderList = []): ResponseData {
  const all: HeaderList = [["Location", location], ...noStore, ...noReferrer, ...headers];
  return { status: 303, headers: all, body: null };
}

export function emptyResponse(status: number, headers: HeaderList = []): ResponseData {
  return { status, headers: [...noStore, ...headers], body: null };
}

/** Responds with an error as JSON, or with a challenge alone (OAuth 2.1, section 5.3.1). */
export function errorResponse(
  error: OAuthError,
  realm: string,
  help: ErrorHelp = {},
): ResponseData {
  const headers = errorHeaders(error, realm, help);
  if (error.details.hasBody === false) return emptyResponse(error.status, headers);
  return jsonResponse(errorBody(error, help), error.status, headers);
}

export function errorHeaders(error: OAuthError, realm: string, help: ErrorHelp = {}): HeaderList {
  const { headers = {}, challenges = [] } = error.details;
  const formatted = challenges.map((challenge) =>
    formatChallenge(challenge, realm, challengeError(error, challenge, help))
  );
  return [
    ...Object.entries(headers),
    ...formatted.map((challenge) => ["WWW-Authenticate", challenge] as const),
  ];
}

/**
 * Returns the header that makes browsers use only https with this host for a year (RFC
 * 6797). A loopback host is left out: its other ports belong to other servers.
 */
export function transportSecurity({ url }: IncomingRequest): HeaderList {
  if (isLoopbackName(parseUrl(url)?.hostname ?? "")) return [];
  return [["Strict-Transport-Security", `max-age=${oneYear}`]];
}
