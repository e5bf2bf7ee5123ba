import type { AppliedRule } from "../../../server/protocol/rule.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { explainBreach } from "../../recording/refusal.ts";

/** The verdict of a rule on a request. A refused request does not reach the later rules. */
export type RuleVerdict = "passed" | "broken" | "not applied";

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

type Applied = ReadonlyMap<string, AppliedRule>;

/** Returns the rules that differ, those first that one of the requests broke. */
export function ruleDifferences(original: Exchange, replay: Exchange): RuleDifference[] {
  const [before, after] = [appliedIn(original), appliedIn(replay)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const differences = ids.flatMap((id) => differenceOf(before.get(id), after.get(id)));
  return [...differences.filter(isDecisive), ...differences.filter((each) => !isDecisive(each))];
}

/** Whether one of the requests broke the rule. The others were only not reached. */
export function isDecisive({ original, replay }: RuleDifference): boolean {
  return original === "broken" || replay === "broken";
}

/** A rule that is applied several times is broken if it was broken once. */
function appliedIn({ rules }: Exchange): Applied {
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
