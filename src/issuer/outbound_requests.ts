import type { ServerEvent } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";
import { fetchOutbound, OutboundError, type OutboundResponse } from "../http/outbound_fetch.ts";
import { messagesOf } from "../util/error_message.ts";
import { parseJson } from "../util/json.ts";

/** What a look outside needs. */
export interface OutboundDependencies {
  settings: Pick<Settings, "fetch" | "fetchUntrusted">;
  emit: (event: ServerEvent) => void;
}

/** What is fetched from outside, and who pointed there. */
export interface OutboundTarget {
  /** What for, in the words of the event stream: "keys", "client metadata", "logout". */
  what: string;
  url: string;
  /** Whether the operator wrote the URL down. Everybody else's goes through the guarded fetch. */
  trusted: boolean;
  /** In bytes. Default: 64 kB. */
  maxBytes?: number;
}

const timeout = 5_000;
const maxBytes = 64 * 1024;

/** Fetches a document. Whatever goes wrong is told to the operator, and is an OutsideError. */
export async function fetchJson(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
): Promise<{ document: unknown; headers: Headers }> {
  const { status, headers, text } = await attempt(dependencies, target, {
    method: "GET",
    headers: { Accept: accepted },
  });
  const problem = problemOf(status, headers, target);
  const document = problem ? undefined : parseJson(text);
  if (document !== undefined) return { document, headers };
  throw failed(
    dependencies,
    target,
    new OutboundError(problem ?? "the answer is not JSON", { isFinal: !isTrouble(status) }),
  );
}

/** What is asked for: any JSON will do, and key sets have a media type of their own (RFC 7517, section 8.5.2). */
const accepted = "application/json, application/jwk-set+json";

/** A page, or a file that anyone may upload to a site, is no document of its owner. The operator knows what they point to. */
function problemOf(
  status: number,
  headers: Headers,
  { trusted }: OutboundTarget,
): string | undefined {
  if (status !== 200) return `the answer has the status ${status}`;
  if (trusted) return undefined;
  const [type] = (headers.get("Content-Type") ?? "").split(";");
  return /^application\/([\w.-]+\+)?json$/i.test(type.trim())
    ? undefined
    : `the answer has the media type '${type.slice(0, 64)}', not JSON`;
}

/** Whether a status tells of trouble that may pass (RFC 9110, section 15; RFC 6585, section 4). */
function isTrouble(status: number): boolean {
  return status >= 500 || status === 408 || status === 429;
}

/** Sends a form; any status below 300 is a success. */
export async function postForm(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  fields: Record<string, string>,
): Promise<void> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const { status } = await attempt(dependencies, target, {
    method: "POST",
    headers,
    body: new URLSearchParams(fields).toString(),
  });
  if (status >= 300) {
    throw failed(dependencies, target, new OutboundError(`the answer has the status ${status}`));
  }
}

async function attempt(
  dependencies: OutboundDependencies,
  target: OutboundTarget,
  request: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
): Promise<OutboundResponse> {
  const fetch = target.trusted ? dependencies.settings.fetch : dependencies.settings.fetchUntrusted;
  try {
    return await fetchOutbound(fetch, target.url, request, {
      timeout,
      maxBytes: target.maxBytes ?? maxBytes,
    });
  } catch (cause) {
    throw failed(dependencies, target, cause);
  }
}

function failed(
  dependencies: OutboundDependencies,
  { what, url }: OutboundTarget,
  cause: unknown,
): unknown {
  const reason = messagesOf(cause);
  // The query of a URL may hold a secret.
  dependencies.emit({ type: "outside.failed", what, url: url.split("?")[0], reason });
  return cause;
}
