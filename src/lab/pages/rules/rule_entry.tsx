/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CataloguedRule } from "../../../server/protocol/rule_catalogue.ts";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag } from "../parts/tag.tsx";
import type { RuleCount } from "./rule_counts.ts";

/** A rule, and what is known about it. */
export interface RuleEntryProps {
  rule: CataloguedRule;
  count: RuleCount | undefined;
  /** The endpoints and grants that apply the rule. */
  places: readonly string[];
}

/** A rule of more places than this is folded. */
const maxUnfolded = 3;

/** A rule, with how many of the recorded requests passed and broke it. */
export function RuleEntry({ rule, count, places }: RuleEntryProps): VNode {
  const { id, title, parameter, error, advice, see } = rule;
  return (
    <li id={id}>
      <div>
        <strong>{title}</strong> <code class="rule">{id}</code>{" "}
        {count && count.passed > 0 && <Tag tone="good">{`${count.passed} passed`}</Tag>}{" "}
        {count && count.failed > 0 && <Tag tone="bad">{`${count.failed} failed`}</Tag>}
        {advice !== undefined && <p class="help">{advice}</p>}
        <p class="help">
          <code>{error}</code>
          {parameter !== undefined && (
            <>
              , about <code>{parameter}</code>
            </>
          )}. <SectionLink see={see} />.
        </p>
        <Places places={places} />
      </div>
    </li>
  );
}

function Places({ places }: Pick<RuleEntryProps, "places">): VNode {
  const list = places.map((name, index) => (
    <>
      {index > 0 && ", "}
      <code>{name}</code>
    </>
  ));
  if (places.length <= maxUnfolded) return <p class="help">Applied at {list}.</p>;
  return (
    <details class="help">
      <summary>Applied at {places.length} endpoints and grants</summary>
      <p>{list}</p>
    </details>
  );
}
