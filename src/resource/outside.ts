import type { Fetch } from "../http/outside.ts";
import { fetchOutside, OutsideError } from "../http/outside.ts";
import { isObject, parseJson } from "../protocol/json.ts";
import { messagesOf } from "../protocol/message_of.ts";

/** How an API reaches its authorization servers, and who is told when it does not. */
export interface Outside {
  fetch: Fetch;
  now: () => number;
  onFailure: (failure: Failure) => void;
}

/** What could not be had from an authorization server, and why. */
export interface Failure {
  url: string;
  reason: string;
}

/** A question to an authorization server. */
export interface Question {
  /** The place where the answer is, or else the next one. */
  at: readonly string[];
  /** What to send, where it is not enough to get something. */
  form?: Form;
  /** What is wrong with an answer, if anything is. */
  problemOf?: (answer: Answer) => string | undefined;
}

/** Fields, and who sends them where that is not among the fields. */
export interface Form {
  fields: Record<string, string>;
  authorization?: string;
}

export type Answer = Record<string, unknown>;

const bounds = { patience: 5_000, largest: 256 * 1024 };

/** Gets a JSON object that is in order, or says why there is none. */
export async function ask(outside: Outside, { at: [url, ...others], ...question }: Question): Promise<Answer> {
  try {
    const answer = await fetchObject(outside, url, question.form);
    const problem = question.problemOf?.(answer);
    if (problem !== undefined) throw new OutsideError(problem);
    return answer;
  } catch (cause) {
    if (others.length > 0) return await ask(outside, { at: others, ...question });
    outside.onFailure({ url, reason: messagesOf(cause) });
    throw cause;
  }
}

async function fetchObject({ fetch }: Outside, url: string, form?: Form): Promise<Answer> {
  const { status, text } = await fetchOutside(fetch, url, form ? posting(form) : { method: "GET", headers: acceptJson }, bounds);
  if (status !== 200) throw new OutsideError(`the answer has the status ${status}`);
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new OutsideError("the answer is no JSON object");
}

const acceptJson = { Accept: "application/json" };

function posting({ fields, authorization }: Form) {
  const headers = {
    ...acceptJson,
    "Content-Type": "application/x-www-form-urlencoded",
    ...authorization !== undefined && { Authorization: authorization },
  };
  return { method: "POST" as const, headers, body: new URLSearchParams(fields).toString() };
}
