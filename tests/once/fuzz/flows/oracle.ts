import { assert, assertEquals } from "@std/assert";
import { assertDescription } from "../fuzz_target.ts";
import { htmlProblems } from "../html_problems.ts";
import type { FlowExchange } from "./session.ts";

/** What an exchange is compared with. */
export interface FlowFacts {
  issuer: string;
  /** The URIs that clients have registered. */
  redirectUris: readonly string[];
  /** The rows that were written meanwhile, as "put kind". */
  writes: readonly string[];
}

/**
 * Rows that a refusal may write: marks of what works once, counts, locks, our own secret, and until
 * when rows of an earlier version are looked for.
 */
const writtenByRefusals =
  /^(?:add|put) (?:dpop-proof|used-assertion|guess-count|polling|secret|completion)$|^\w+ lock$/;

/**
 * Rows that the second use of a credential may write: it ends the authorization, and what was
 * issued before the credential turned out to be used has no parent any more.
 */
const writtenByReplays = /^delete (?:user-)?authorization$|^add (?:refresh-token|opaque-token)$/;

/** Fails if a response breaks a promise of the server, whatever the request was. */
export function assertSound(exchange: FlowExchange, facts: FlowFacts): void {
  const { step, request, response, text } = exchange;
  const where = `${step}: ${request.method} ${request.url} -> ${response.status}`;
  assert(response.status < 500, where);
  assertHeaders(response, where);
  assertRedirect(response, facts, where);
  if (request.method === "HEAD") return;
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("text/html")) assertPage(response, text, where);
  else assert(response.status < 400 || isEmptyOr(type, text, "application/json"), where);
  if (type.startsWith("application/json") && response.status >= 400) assertError(text, where);
}

/** Whether a response refuses: by its status, or by a redirect. A user who denies has decided. */
export function isRefusal({ response }: FlowExchange): boolean {
  const location = response.headers.get("Location") ?? "";
  return response.status >= 400 || /[?&#]error=(?!access_denied)/.test(location);
}

/** Fails if a refusal has written a row that decides something. */
export function assertUnchanged(exchange: FlowExchange, { writes }: FlowFacts): void {
  const { step, response, text } = exchange;
  const isReplay = text.startsWith('{"error":"invalid_grant"');
  const changes = writes.filter((write) =>
    !writtenByRefusals.test(write) && !(isReplay && writtenByReplays.test(write))
  );
  assertEquals(changes, [], `${step} -> ${response.status}`);
}

function isEmptyOr(type: string, text: string, expected: string): boolean {
  return text === "" || type.startsWith(expected) || type.startsWith("text/plain");
}

function assertHeaders({ status, headers }: Response, where: string): void {
  if (status === 401) assert(headers.has("WWW-Authenticate"), where);
  if (status === 405) assert(headers.has("Allow"), where);
  if (status === 429) assert(headers.has("Retry-After"), where);
  assert(headers.get("Access-Control-Allow-Credentials") === null, where);
}

function assertPage({ headers }: Response, html: string, where: string): void {
  const policy = headers.get("Content-Security-Policy") ?? "";
  assert(policy.startsWith("default-src 'none'; "), where);
  assert(policy.includes("frame-ancestors 'none'") && !policy.includes("unsafe"), where);
  assertEquals(headers.get("X-Frame-Options"), "DENY", where);
  assertEquals(headers.get("Cache-Control"), "no-store", where);
  assertEquals(htmlProblems(html), [], where);
}

function assertError(text: string, where: string): void {
  const { error, error_description: description } = JSON.parse(text);
  assert(typeof error === "string" && /^[a-z_]+$/.test(error), where);
  assertDescription(description);
}

function assertRedirect({ headers }: Response, facts: FlowFacts, where: string): void {
  const location = headers.get("Location");
  if (location === null || location.startsWith("/")) return;
  const isOwn = location.startsWith(`${facts.issuer}/`);
  const isRegistered = facts.redirectUris.some((uri) => startsWithUri(location, uri));
  assert(isOwn || isRegistered, `${where} ${location}`);
}

/** Whether a location is a registered URI with a response; a loopback port may differ. */
function startsWithUri(location: string, uri: string): boolean {
  const withoutPort = (text: string) =>
    text.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?/, "$1");
  return withoutPort(location).startsWith(withoutPort(uri));
}
