import { counted } from "../../../server/util/time/duration.ts";
import { readFlowCredentials } from "../../flows/flow_credentials.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type RecordedRequest, toRecordedRequest } from "../../recording/recorded_request.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { type RequestDifference, requestDifferences } from "./request_differences.ts";
import { type RuleDifference, ruleDifferences } from "./rule_differences.ts";

/** A recorded request and its replay, compared by what the lab recorded of both. */
export interface Replay {
  /** The request that a client sent. */
  original: RecordedRequest;
  /** The request that the lab sent in its place, with the response. */
  replay: RecordedRequest;
  /** How both ended, in a few sentences. */
  summary: string;
  /** What the two requests send differently. */
  differences: RequestDifference[];
  /** The rules with different verdicts, first those that one of the requests broke. */
  rules: RuleDifference[];
}

/** Compares a recorded request with its replay. */
export function compareExchanges(
  original: Exchange,
  replay: Exchange,
  withSecrets: boolean,
): Replay {
  return {
    original: toRecordedRequest(original, withSecrets),
    replay: toRecordedRequest(replay, withSecrets),
    summary: summaryOf(original, replay),
    differences: requestDifferences(original, replay, withSecrets),
    rules: ruleDifferences(original, replay),
  };
}

function summaryOf(original: Exchange, replay: Exchange): string {
  const sentences = [
    outcomeOf("original", original),
    outcomeOf("replay", replay),
    ...laterVerdict(original, replay),
    ...isKept(replay) ? [] : ["What it issued is not valid in the lab."],
  ];
  return sentences.join(" ");
}

function outcomeOf(which: "original" | "replay", exchange: Exchange): string {
  const refusal = refusalOf(exchange);
  const { length } = exchange.rules;
  if (!refusal) return `The ${which} was accepted: it passed ${counted(length, "rule")}.`;
  const { rule, error } = refusal;
  return rule === undefined
    ? `The ${which} was refused: ${error}.`
    : `The ${which} broke the rule ${rule} (${error}).`;
}

/** Returns whether the replay passed the rule that the original broke. */
function laterVerdict(original: Exchange, replay: Exchange): string[] {
  const { rule } = refusalOf(original) ?? {};
  const { rule: other } = refusalOf(replay) ?? {};
  if (rule === undefined || other === undefined || rule === other) return [];
  const isPassed = replay.rules.some((each) => each.rule.id === rule && each.passed);
  return [isPassed ? `It passed ${rule}.` : `It was refused before ${rule} was applied.`];
}

/** Whether the lab knows what a request issued, if it did. A copy of the lab issued it in the past. */
export function isKept(exchange: Exchange): boolean {
  const { past, issuer = "" } = exchange;
  return !past || readFlowCredentials([exchange], issuer).issued.length === 0;
}
