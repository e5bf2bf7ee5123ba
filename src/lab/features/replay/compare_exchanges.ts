import type { AppliedRule } from "../../../server/protocol/rule.ts";
import { counted } from "../../../server/util/time/duration.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { type RecordedRequest, toRecordedRequest } from "../../recording/recorded_request.ts";
import { explainBreach, refusalOf } from "../../recording/refusal.ts";
import { type RequestDifference, requestDifferences } from "./request_differences.ts";

/** A recorded request and its replay, compared by what the lab recorded of both. */
export interface Replay {
  /** The request that a client sent. */
  original: RecordedRequest;
  /** The request that the lab sent in its place, with the response. */
  replay: RecordedRequest;
  /** How both ended, in a few sentences. */
  summary: string;
  /** What the lab sent in place of spent credentials, or why it could not: a sentence each. */
  renewed: string[];
  /** What the two requests send differently. */
  differences: RequestDifference[];
  /** The rules with different verdicts, first those that one of the requests broke. */
  rules: RuleDifference[];
}

/** A rule with different verdicts on two requests. */
export interface RuleDifference {
  /** The id of the rule: `"code.redirect_uri"`. */
  rule: string;
  /** What it requires. */
  title: string;
  /** The section that requires it. */
  see: string;
  /** Its verdict on the original. */
  original: RuleVerdict;
  /** Its verdict on the replay. */
  replay: RuleVerdict;
  /** What it expected of the request that broke it. */
  expected?: string | undefined;
  /** What that request had instead. */
  received?: string | undefined;
  /** How to fix that request. */
  fix?: string | undefined;
}

/** The verdict of a rule on a request. A refused request does not reach the later rules. */
export type RuleVerdict = "passed" | "broken" | "not applied";

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
    renewed: [...replay.renewed ?? []],
    differences: requestDifferences(original, replay, withSecrets),
    rules: ruleDifferences(original, replay),
  };
}

/** Whether one of the requests broke the rule. The others were only not reached. */
export function isDecisive({ original, replay }: RuleDifference): boolean {
  return original === "broken" || replay === "broken";
}

function summaryOf(original: Exchange, replay: Exchange): string {
  const sentences = [
    outcomeOf("original", original),
    outcomeOf("replay", replay),
    ...laterVerdict(original, replay),
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

/** Returns the rules that differ, those first that one of the requests broke. */
function ruleDifferences(original: Exchange, replay: Exchange): RuleDifference[] {
  const [before, after] = [appliedIn(original), appliedIn(replay)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const differences = ids.flatMap((id) => differenceOf(before.get(id), after.get(id)));
  return [...differences.filter(isDecisive), ...differences.filter((each) => !isDecisive(each))];
}

/** A rule that is applied several times is broken if it was broken once. */
function appliedIn({ rules }: Exchange): ReadonlyMap<string, AppliedRule> {
  const byId = new Map<string, AppliedRule>();
  for (const each of rules) {
    if (byId.get(each.rule.id)?.passed !== false) byId.set(each.rule.id, each);
  }
  return byId;
}

function differenceOf(
  before: AppliedRule | undefined,
  after: AppliedRule | undefined,
): RuleDifference[] {
  const [original, replay] = [verdictOf(before), verdictOf(after)];
  const { rule } = before ?? after ?? {};
  if (!rule || original === replay) return [];
  const { id, title, see } = rule;
  const broken = [after, before].find((each) => each?.passed === false);
  return [{ rule: id, title, see, original, replay, ...explainBreach(broken) }];
}

function verdictOf(applied: AppliedRule | undefined): RuleVerdict {
  if (!applied) return "not applied";
  return applied.passed ? "passed" : "broken";
}
