import type { ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import {
  fetchOutbound,
  isTemporaryStatus,
  OutboundError,
  type OutboundErrorOptions,
  type OutboundResponse,
} from "../http/outbound_fetch.ts";
import { messagesOf } from "../util/text/error_message.ts";
import { parseJson } from "../util/text/json.ts";
import { isTooMany } from "./limits/budget.ts";
import type { FairLimit } from "./limits/fair_limit.ts";

/** What an outbound request needs. */
export interface OutboundDependencies {
  settings: Pick<Settings, "fetch" | "fetchUntrusted">;
  emit: (event: ServerEvent) => void;
  limits: { untrustedFetches: FairLimit };
}

/** Where an outbound request goes. */
export interface OutboundTarget {
  /** The purpose, in the words of the event stream: "keys", "client metadata", "logout". */
  purpose: string;
  url: string;
  /** Whether the operator configured the URL. Every other URL goes through the guarded fetch. */
  trusted: boolean;
  /** The network that caused the request. Its requests to untrusted URLs share one queue. */
  sender?: string | undefined;
  /** In bytes. Default: 64 kB. */
  maxBytes?: number | undefined;
}

/** A JSON document, and the headers that came with it. */
export interface FetchedDocument {
  document: unknown;
  headers: Headers;
}

/** In milliseconds. */
const timeout = 5_000;
const defaultMaxBytes = 64 * 1024;

/** Accepts any JSON. Key sets have a separate media type (RFC 7517, section 8.5.2). */
const json: ExpectedType = {
  accept: "application/json, application/jwk-set+json",
  name: "JSON",
  includes: (type) => /^application\/([\w.-]+\+)?json$/.test(type),
};

/** The media type of a response. */
interface ExpectedType {
  accept: string;
  name: string;
  includes(type: string): boolean;
}

/** Fetches a JSON document. A failure is reported as an event and thrown as an OutboundError. */
export async function fetchJson(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
): Promise<FetchedDocument> {
  const { headers, text } = await get(dependencies, target, json);
  const document = parseJson(text);
  if (document !== undefined) return { document, headers };
  return fail(dependencies, target, "the response is not JSON", { isFinal: true });
}

/** Fetches a text of one of these media types. It fails as `fetchJson` does. */
export async function fetchText(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  types: readonly string[],
): Promise<string> {
  const expected = {
    accept: types.join(", "),
    name: types.join(" or "),
    includes: (type: string) => types.includes(type),
  };
  return (await get(dependencies, target, expected)).text;
}

async function get(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  expected: ExpectedType,
): Promise<OutboundResponse> {
  const headers = { Accept: expected.accept };
  const response = await send(dependencies, target, { method: "GET", headers });
  const problem = responseProblem(response, target, expected);
  if (problem === undefined) return response;
  const isFinal = !isTemporaryStatus(response.status);
  return fail(dependencies, target, problem, { isFinal, isAnswered: true });
}

/** Posts a form. Any status below 300 is a success; otherwise, it returns why that failed. */
export async function postForm(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  fields: Record<string, string>,
): Promise<OutboundError | undefined> {
  return await post(dependencies, target, {
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
}

/** Posts JSON with a bearer token, likewise. */
export async function postJson(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  token: string,
  content: object,
): Promise<OutboundError | undefined> {
  return await post(dependencies, target, {
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(content),
  });
}

async function post(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  content: { headers: Record<string, string>; body: string },
): Promise<OutboundError | undefined> {
  try {
    const { status, headers } = await send(dependencies, target, { method: "POST", ...content });
    if (status < 300) return undefined;
    return fail(dependencies, target, `the response has the status ${status}`, {
      isFinal: !isTemporaryStatus(status),
      isAnswered: true,
      retryAfter: secondsToWait(headers),
    });
  } catch (cause) {
    if (isTooMany(cause)) return new OutboundError("too many requests wait", { cause });
    if (cause instanceof OutboundError) return cause;
    throw cause;
  }
}

async function send(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  init: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
): Promise<OutboundResponse> {
  const { settings, limits: { untrustedFetches } } = dependencies;
  const { url, trusted, sender, maxBytes = defaultMaxBytes } = target;
  const bounds = { timeout, maxBytes };
  try {
    if (trusted) return await fetchOutbound(settings.fetch, url, init, bounds);
    return await untrustedFetches(
      sender,
      () => fetchOutbound(settings.fetchUntrusted, url, { ...init, sender }, bounds),
    );
  } catch (cause) {
    reportFailure(dependencies, target, cause);
    throw cause;
  }
}

/**
 * A page, or a file that anyone may upload to a site, does not speak for the site's owner: it must
 * have the right media type. The operator knows what a configured URL leads to.
 */
function responseProblem(
  { status, headers }: OutboundResponse,
  { trusted }: OutboundTarget,
  { includes, name }: ExpectedType,
): string | undefined {
  if (status !== 200) return `the response has the status ${status}`;
  if (trusted) return undefined;
  const [type = ""] = (headers.get("Content-Type") ?? "").toLowerCase().split(";");
  return includes(type.trim())
    ? undefined
    : `the response has the media type '${type.slice(0, 64)}', not ${name}`;
}

/**
 * Returns what `Retry-After` asks for: a number of seconds, or a date on the clock of the other side
 * (RFC 9110, section 10.2.3).
 */
function secondsToWait(headers: Headers): number | undefined {
  const [text, date] = [headers.get("Retry-After") ?? "", headers.get("Date") ?? ""];
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.parse(date)) / 1000;
  return seconds > 0 ? seconds : undefined;
}

function fail(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  problem: string,
  options: OutboundErrorOptions,
): never {
  const error = new OutboundError(problem, options);
  reportFailure(dependencies, target, error);
  throw error;
}

/** Reports why a request failed, or why what it led to is useless. */
export function reportFailure(
  dependencies: OutboundDependencies,
  { purpose: what, url }: OutboundTarget,
  cause: unknown,
): void {
  const [withoutQuery = url] = url.split("?"); // The query may hold a secret.
  const reason = messagesOf(cause);
  dependencies.emit({ type: "outbound.failed", what, url: withoutQuery, reason });
}
