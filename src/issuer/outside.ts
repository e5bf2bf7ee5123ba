import type { OutsideAnswer } from "../http/outside.ts";
import { fetchOutside, OutsideError } from "../http/outside.ts";
import { parseJson } from "../protocol/json.ts";
import { messagesOf } from "../protocol/message_of.ts";
import type { Event } from "../config/events.ts";
import type { Settings } from "../config/settings.ts";

/** What a look outside needs. */
export interface OutsideNeeds {
  settings: Pick<Settings, "fetch" | "fetchUntrusted">;
  emit: (event: Event) => void;
}

/** What is fetched from outside, and who pointed there. */
export interface Wanted {
  /** What for, in the words of the event stream: "keys", "client metadata", "logout". */
  what: string;
  url: string;
  /** Whether the operator wrote the URL down. Everybody else's goes through the guarded fetch. */
  trusted: boolean;
  /** In bytes. Default: 64 kB. */
  largest?: number;
}

const patience = 5_000;
const largest = 64 * 1024;

/** Fetches a document. Whatever goes wrong is told to the operator, and is an OutsideError. */
export async function fetchJson(needs: OutsideNeeds, wanted: Wanted): Promise<{ document: unknown; headers: Headers }> {
  const { status, headers, text } = await attempt(needs, wanted, { method: "GET", headers: { Accept: accepted } });
  const problem = problemOf(status, headers, wanted);
  const document = problem ? undefined : parseJson(text);
  if (document !== undefined) return { document, headers };
  throw failed(needs, wanted, new OutsideError(problem ?? "the answer is not JSON", { isFinal: !isTrouble(status) }));
}

/** What is asked for: any JSON will do, and key sets have a media type of their own (RFC 7517, section 8.5.2). */
const accepted = "application/json, application/jwk-set+json";

/** A page, or a file that anyone may upload to a site, is no document of its owner. The operator knows what they point to. */
function problemOf(status: number, headers: Headers, { trusted }: Wanted): string | undefined {
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
export async function postForm(needs: OutsideNeeds, wanted: Wanted, fields: Record<string, string>): Promise<void> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const { status } = await attempt(needs, wanted, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  if (status >= 300) throw failed(needs, wanted, new OutsideError(`the answer has the status ${status}`));
}

async function attempt(
  needs: OutsideNeeds,
  wanted: Wanted,
  request: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
): Promise<OutsideAnswer> {
  const fetch = wanted.trusted ? needs.settings.fetch : needs.settings.fetchUntrusted;
  try {
    return await fetchOutside(fetch, wanted.url, request, { patience, largest: wanted.largest ?? largest });
  } catch (cause) {
    throw failed(needs, wanted, cause);
  }
}

function failed(needs: OutsideNeeds, { what, url }: Wanted, cause: unknown): unknown {
  const reason = messagesOf(cause);
  // The query of a URL may hold a secret.
  needs.emit({ type: "outside.failed", what, url: url.split("?")[0], reason });
  return cause;
}
