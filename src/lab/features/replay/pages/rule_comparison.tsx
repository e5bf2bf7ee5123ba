/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../../server/util/time/duration.ts";
import { SectionLink } from "../../../pages/parts/section_link.tsx";
import { Comparison } from "../../../pages/parts/tables.tsx";
import { Tag, type Tone } from "../../../pages/parts/tag.tsx";
import { isDecisive, type RuleDifference, type RuleVerdict } from "../compare_exchanges.ts";

const tones: Readonly<Record<RuleVerdict, Tone>> = {
  passed: "good",
  broken: "bad",
  "not applied": "neutral",
};

/** The rules that differ: open, if one of the requests broke them; the others folded. */
export function ruleComparison(rules: readonly RuleDifference[], base: string): VNode {
  const decisive = rules.filter(isDecisive);
  const others = rules.filter((each) => !isDecisive(each));
  return (
    <>
      {rules.length === 0 && <p class="help">The same rules were applied to both, and agree.</p>}
      {decisive.map((rule) => decisiveRule(rule, base))}
      {others.length > 0 && (
        <details id="other-rules">
          <summary>{counted(others.length, "rule")} applied to only one of them</summary>
          <ul>{others.map((rule) => otherRule(rule, base))}</ul>
        </details>
      )}
    </>
  );
}

function decisiveRule(rule: RuleDifference, base: string): VNode {
  const { title, see, original, replay, fix } = rule;
  return (
    <div class="refusal">
      <p class="refusal-title">
        {title} {ruleLink(rule, base)}
      </p>
      <p>
        Original: <Tag tone={tones[original]}>{original}</Tag> Replay:{" "}
        <Tag tone={tones[replay]}>{replay}</Tag>
      </p>
      <Comparison {...rule} />
      {fix && <p>{fix}</p>}
      <p class="see">
        <SectionLink see={see} />
      </p>
    </div>
  );
}

function otherRule(rule: RuleDifference, base: string): VNode {
  return (
    <li>
      {rule.title} {ruleLink(rule, base)}, applied to the{" "}
      {rule.original === "not applied" ? "replay" : "original"} alone
    </li>
  );
}

function ruleLink({ rule }: RuleDifference, base: string): VNode {
  return (
    <a href={`${base}/lab/rules#${rule}`}>
      <code class="rule">{rule}</code>
    </a>
  );
}
