import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import type { Credential } from "./credentials.ts";
import type { NodeResponse } from "./server_node.ts";

/** How an operation ended, as its caller sees it. */
export type Outcome =
  | "done"
  | "refused"
  /** Refused because the credential was used before. */
  | "replayed"
  /** A poll that used up nothing: the user has not decided yet, or has denied the request. */
  | "not allowed"
  /** Refused for now: another operation holds a lock, or the store failed. */
  | "unavailable"
  /** An internal error, which no operation may end in. */
  | "broken";

/** What an operation said to its caller. */
export interface Answer {
  outcome: Outcome;
  issued: Credential[];
  /** For messages. */
  details: string;
}

/** Reads a response. What it issued, only the operation knows. */
export function answerOf(response: NodeResponse, issued: Credential[] = []): Answer {
  const { status, location, body } = response;
  const details = `${status} ${location ?? ""} ${body.error_description ?? body.error ?? ""}`
    .trim();
  return { outcome: outcomeOf(response), issued, details };
}

/** Returns the answer of a function that the program's commands call. */
export async function answerOfCall(call: Promise<unknown>): Promise<Answer> {
  try {
    await call;
    return { outcome: "done", issued: [], details: "done" };
  } catch (cause) {
    return { ...brokenAnswer(cause), outcome: outcomeOfError(cause) };
  }
}

/** Returns the answer of an operation that threw. */
export function brokenAnswer(cause: unknown): Answer {
  return { outcome: "broken", issued: [], details: String(cause) };
}

function outcomeOf({ status, location, text, body }: NodeResponse): Outcome {
  const error = body.error ?? errorIn(location);
  if (status === 503 || error === "temporarily_unavailable") return "unavailable";
  if (status >= 500 || error === "server_error") return "broken";
  if (text.includes("was used before")) return "replayed";
  return status >= 400 || error !== undefined ? "refused" : "done";
}

function outcomeOfError(cause: unknown): Outcome {
  if (cause instanceof OAuthError && cause.code === "temporarily_unavailable") return "unavailable";
  return cause instanceof AdminError ? "refused" : "broken";
}

function errorIn(location: string | undefined): string | undefined {
  return /[?&]error=(\w+)/.exec(location ?? "")?.[1];
}
