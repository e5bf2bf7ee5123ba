import { fetchOutbound, OutboundError, type OutboundFetch } from "../http/outbound_fetch.ts";
import { messagesOf } from "../util/error_message.ts";
import { isObject, parseJson } from "../util/json.ts";

/** How an API reaches its authorization servers, and who is told when it does not. */
export interface OutboundClient {
  fetch: OutboundFetch;
  now: () => number;
  onFailure: (failure: FetchFailure) => void;
}

/** What could not be had from an authorization server, and why. */
export interface FetchFailure {
  /** The URL of the request that failed. */
  url: string;
  /** Why it failed. */
  reason: string;
}

/** A question to an authorization server. */
export interface ServerQuery {
  /** The place where the answer is, or else the next one. */
  at: readonly string[];
  /** What to send, where it is not enough to get something. */
  form?: FormBody;
  /** What is wrong with an answer, if anything is. */
  problemOf?: (answer: JsonObject) => string | undefined;
}

/** Fields, and who sends them where that is not among the fields. */
export interface FormBody {
  fields: Record<string, string>;
  authorization?: string;
}

export type JsonObject = Record<string, unknown>;

const bounds = { timeout: 5_000, maxBytes: 256 * 1024 };

/** Gets a JSON object that is in order, or says why there is none. */
export async function query(
  client: OutboundClient,
  { at: [url, ...others], ...question }: ServerQuery,
): Promise<JsonObject> {
  try {
    const answer = await fetchObject(client, url, question.form);
    const problem = question.problemOf?.(answer);
    if (problem !== undefined) throw new OutboundError(problem);
    return answer;
  } catch (cause) {
    if (others.length > 0) return await query(client, { at: others, ...question });
    client.onFailure({ url, reason: messagesOf(cause) });
    throw cause;
  }
}

async function fetchObject(
  { fetch }: OutboundClient,
  url: string,
  form?: FormBody,
): Promise<JsonObject> {
  const { status, text } = await fetchOutbound(
    fetch,
    url,
    form ? posting(form) : { method: "GET", headers: acceptJson },
    bounds,
  );
  if (status !== 200) throw new OutboundError(`the answer has the status ${status}`);
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new OutboundError("the answer is no JSON object");
}

const acceptJson = { Accept: "application/json" };

function posting({ fields, authorization }: FormBody) {
  const headers = {
    ...acceptJson,
    "Content-Type": "application/x-www-form-urlencoded",
    ...authorization !== undefined && { Authorization: authorization },
  };
  return { method: "POST" as const, headers, body: new URLSearchParams(fields).toString() };
}
