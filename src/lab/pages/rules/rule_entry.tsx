/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CataloguedRule } from "../../../protocol/rule_catalogue.ts";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag } from "../parts/tag.tsx";
import type { RuleCount } from "./rule_counts.ts";

interface RuleEntryProps {
  rule: CataloguedRule;
  count: RuleCount | undefined;
}

/** A rule, with how many of the recorded requests passed and broke it. */
export function RuleEntry({ rule, count }: RuleEntryProps): VNode {
  const { id, title, parameter, error, advice, see, test } = rule;
  return (
    <li id={id}>
      <div>
        <strong>{title}</strong> <code class="rule">{id}</code>{" "}
        {count && count.passed > 0 && <Tag tone="good">{`${count.passed} passed`}</Tag>}{" "}
        {count && count.failed > 0 && <Tag tone="bad">{`${count.failed} failed`}</Tag>}
        <p class="help">{advice}</p>
        <p class="help">
          <code>{error}</code>
          {parameter !== undefined && (
            <>
              , about <code>{parameter}</code>
            </>
          )}. <SectionLink see={see} />. Tested in <code>{test}</code>.
        </p>
      </div>
    </li>
  );
}
