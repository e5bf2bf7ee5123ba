import type { OutsideAnswer } from "../http/outside.ts";
import { fetchOutside, OutsideError } from "../http/outside.ts";
import type { Context } from "./context.ts";

/** What is fetched from outside, and who pointed there. */
export interface Wanted {
  /** What for, in the words of the event stream: "keys", "client metadata", "logout". */
  what: string;
  url: string;
  /** Whether the operator wrote the URL down. Everybody else's goes through the guarded fetch. */
  trusted: boolean;
}

const bounds = { patience: 5_000, largest: 64 * 1024 };

/** Fetches a document. Whatever goes wrong is told to the operator, and is an OutsideError. */
export async function fetchJson(ctx: Context, wanted: Wanted): Promise<{ document: unknown; headers: Headers }> {
  const { status, headers, text } = await attempt(ctx, wanted, { method: "GET", headers: { Accept: "application/json" } });
  if (status !== 200) throw failed(ctx, wanted, new OutsideError(`the answer has the status ${status}`));
  try {
    return { document: JSON.parse(text), headers };
  } catch {
    throw failed(ctx, wanted, new OutsideError("the answer is not JSON"));
  }
}

/** Sends a form; any status below 300 is a success. */
export async function postForm(ctx: Context, wanted: Wanted, fields: Record<string, string>): Promise<void> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const { status } = await attempt(ctx, wanted, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  if (status >= 300) throw failed(ctx, wanted, new OutsideError(`the answer has the status ${status}`));
}

async function attempt(
  ctx: Context,
  wanted: Wanted,
  request: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
): Promise<OutsideAnswer> {
  const fetch = wanted.trusted ? ctx.settings.fetch : ctx.settings.fetchUntrusted;
  try {
    return await fetchOutside(fetch, wanted.url, request, bounds);
  } catch (cause) {
    throw failed(ctx, wanted, cause);
  }
}

function failed(ctx: Context, { what, url }: Wanted, cause: unknown): unknown {
  const reason = cause instanceof Error ? cause.message : String(cause);
  // The query of a URL may hold a secret.
  ctx.emit({ type: "outside.failed", what, url: url.split("?")[0], reason });
  return cause;
}
