import {
  fetchOutbound,
  OutboundError,
  type OutboundFetch,
  type UnsentRequest,
} from "../server/http/outbound_fetch.ts";
import { messagesOf } from "../server/util/text/error_message.ts";
import { isObject, parseJson } from "../server/util/text/json.ts";

const fetchLimits = { timeout: 5 * 1000, maxBytes: 256 * 1024 };

const acceptJson = { Accept: "application/json" };

/** How an API sends requests to its authorization servers, and reports failures. */
export interface OutboundClient {
  fetch: OutboundFetch;
  now: () => number;
  onFailure: (failure: FetchFailure) => void;
}

/** A failed request to an authorization server. */
export interface FetchFailure {
  /** The URL of the request that failed. */
  url: string;
  /** Why it failed. */
  reason: string;
}

/** A form, and the `Authorization` header that goes with it. */
export interface FormBody {
  fields: Record<string, string>;
  authorization?: string;
}

export type JsonObject = Record<string, unknown>;

/** Fetches a JSON object and reads it, or throws an `OutboundError` with the reason. */
export async function fetchJson<T>(client: OutboundClient, query: {
  /** The URL to fetch. */
  url: string;
  /** The URL to try if the first one fails. */
  fallbackUrl?: string;
  /** The form to send. Without one, the request is a GET. */
  form?: FormBody;
  /** Returns what the caller needs of the response, or throws an `OutboundError`. */
  read: (response: JsonObject) => T;
}): Promise<T> {
  const { url, fallbackUrl, form, read } = query;
  try {
    return read(await fetchObject(client, url, form));
  } catch (cause) {
    if (fallbackUrl !== undefined) {
      const { fallbackUrl: _, ...others } = query;
      return await fetchJson(client, { ...others, url: fallbackUrl });
    }
    client.onFailure({ url, reason: messagesOf(cause) });
    throw cause;
  }
}

async function fetchObject(
  { fetch }: OutboundClient,
  url: string,
  form?: FormBody,
): Promise<JsonObject> {
  const request: UnsentRequest = form === undefined ? { method: "GET", headers: acceptJson } : {
    method: "POST",
    headers: {
      ...acceptJson,
      "Content-Type": "application/x-www-form-urlencoded",
      ...form.authorization !== undefined && { Authorization: form.authorization },
    },
    body: new URLSearchParams(form.fields).toString(),
  };
  const { status, text } = await fetchOutbound(fetch, url, request, fetchLimits);
  if (status !== 200) throw new OutboundError(`the response has the status ${status}`);
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new OutboundError("the response is not a JSON object");
}
