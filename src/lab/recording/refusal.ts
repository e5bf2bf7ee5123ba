import type { ServerEvent } from "../../server/config/events.ts";
import { comparisonHint, type Refusal } from "../../server/protocol/oauth_error.ts";
import type { Exchange, ReportedFacts } from "./exchange.ts";
import { redactValue } from "./redact.ts";
import { redactText } from "./redact_text.ts";

export type { Refusal };

/** What came, and what was expected. */
export type ReceivedAndExpected = Pick<Refusal, "received" | "expected">;

/** Returns the event of a refusal, if there is one: it takes less time than to redact it. */
export function refusalEventOf({ events }: ReportedFacts): RefusalEvent | undefined {
  return events.findLast(isRefusal);
}

/** Returns why the server refused the request of an exchange, or undefined if it did not. */
export function refusalOf(reported: ReportedFacts): Refusal | undefined {
  const refused = refusalEventOf(reported);
  if (!refused) return undefined;
  const { error, rule, parameter, description, see, received, expected, fix } = refused;
  return redactRefusal({ error, rule, parameter, description, see, received, expected, fix });
}

/** Redacts what has values of the request, which may be a URL with a code or token in it. */
export function redactRefusal<T extends Refusal>(refusal: T): T {
  const { description, received, expected, fix } = refusal;
  return {
    ...refusal,
    description: redactText(description),
    received: redactValue(received),
    expected: redactValue(expected),
    fix: redactValue(fix),
  };
}

/**
 * Explains a refusal on two lines: what was wrong, and what to do about it. Callers leave out what
 * they show elsewhere.
 */
export function explainRefusal(refusal: Partial<Refusal>): string[] {
  const { error, rule, parameter, description, see, fix } = refusal;
  const about = [rule && `Rule: ${rule}.`, parameter && `Parameter: ${parameter}.`];
  return [
    [error && `${error}:`, description, comparisonHint(refusal)],
    [fix, ...about, see && `See ${see}.`],
  ].map((texts) => texts.filter(Boolean).join(" ")).filter(Boolean);
}

/** Describes why the last request to a URL was refused; undefined if it was not. */
export function describeLastRefusal(
  exchanges: readonly Exchange[],
  url: string,
): string | undefined {
  const last = exchanges.findLast(({ request }) => request.url === url);
  const refusal = last && refusalOf(last);
  return refusal && explainRefusal(refusal).join(" ");
}

/** The event of a refusal. */
export type RefusalEvent = Extract<ServerEvent, { type: "request.refused" }>;

function isRefusal(event: ServerEvent): event is RefusalEvent {
  return event.type === "request.refused";
}
