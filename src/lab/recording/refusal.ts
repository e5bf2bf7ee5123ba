import type { ServerEvent } from "../../server/config/events.ts";
import type { AppliedRule } from "../../server/protocol/rule.ts";
import type { Exchange, ReportedFacts } from "./exchange.ts";
import { redactValue } from "./redact.ts";

/** Why the server refused a request. */
export interface Refusal {
  /** The error code. */
  error: string;
  /** What was expected and what came, in one sentence. */
  description: string;
  /** What came and what was expected, in one line: an untrusted client should not know it. */
  hint?: string | undefined;
  /** What came. */
  received?: string | undefined;
  /** What was expected. */
  expected?: string | undefined;
  /** The section that requires the error. */
  see?: string | undefined;
  /** The rule that the request broke: `"code.redirect_uri"`. */
  rule?: string | undefined;
  /** The parameter or header that the rule is about; it may be missing. */
  parameter?: string | undefined;
  /** How to fix the request. */
  fix?: string | undefined;
}

/** What came, and what was expected. */
export type ReceivedAndExpected = Pick<Refusal, "received" | "expected">;

/** Returns the event of a refusal, if there is one: it takes less time than to explain it. */
export function refusalEventOf({ events }: ReportedFacts): RefusalEvent | undefined {
  return events.findLast(isRefusal);
}

/** Returns why the server refused the request of an exchange, or undefined if it did not. */
export function refusalOf(reported: ReportedFacts): Refusal | undefined {
  const refused = refusalEventOf(reported);
  if (!refused) return undefined;
  const { error, see, rule, parameter } = refused;
  const description = redactValue(refused.description) ?? "";
  const hint = redactValue(refused.hint);
  const broken = reported.rules.findLast((applied) => !applied.passed && applied.rule.id === rule);
  return { error, description, hint, ...explainBreach(broken), see, rule, parameter };
}

/** Explains how a request broke a rule, if it did. */
export function explainBreach(
  broken: AppliedRule | undefined,
): Pick<Refusal, "received" | "expected" | "fix"> {
  const { received, expected, fix = broken?.rule.fix } = broken ?? {};
  return {
    received: redactValue(received),
    expected: redactValue(expected),
    fix: redactValue(fix),
  };
}

/** Explains a refusal in sentences: why, how to fix the request, and which section requires it. */
export function explainRefusal(
  { description, hint, fix, see }: Refusal,
): string {
  return [description, hint, fix, see && `See ${see}.`].filter(Boolean).join(" ");
}

/** Describes a refusal: its error, the broken rule, and what `explainRefusal` returns. */
export function describeRefusal(refusal: Refusal): string {
  const { error, rule } = refusal;
  const code = rule === undefined ? error : `${error} (${rule})`;
  return `${code}. ${explainRefusal(refusal)}`;
}

/** Describes why the last request to a URL was refused; undefined if it was not. */
export function describeLastRefusal(
  exchanges: readonly Exchange[],
  url: string,
): string | undefined {
  const last = exchanges.findLast(({ request }) => request.url === url);
  const refusal = last && refusalOf(last);
  return refusal && describeRefusal(refusal);
}

type RefusalEvent = Extract<ServerEvent, { type: "request.refused" }>;

function isRefusal(event: ServerEvent): event is RefusalEvent {
  return event.type === "request.refused";
}
