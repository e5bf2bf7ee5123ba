/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import { groupBy } from "../../util/lists.ts";
import type { CataloguedRule } from "../../util/rule_catalogue.ts";
import { Empty } from "../parts/empty.tsx";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag } from "../parts/tag.tsx";
import type { RuleCount } from "./rule_counts.ts";

/** A rule of more places than this is folded. */
const maxUnfolded = 3;

/** A rule, and what is known about it. */
interface FoundRule {
  rule: CataloguedRule;
  count: RuleCount | undefined;
  /** The endpoints and grants that apply the rule. */
  places: readonly string[];
}

/** Rules in groups by what they are about: "code", "dpop". Those that a search found are unfolded. */
export function ruleGroups(rules: readonly FoundRule[], isFound: boolean): VNode {
  if (rules.length === 0) return <Empty title="No rule matches the filter" />;
  return (
    <>
      {groupBy(rules, nameOfGroup).map((entries) => {
        const name = nameOfGroup(entries[0]);
        const failed = entries.reduce((sum, { count }) => sum + (count?.failed ?? 0), 0);
        return (
          <details id={`rules-${name}`} open={isFound} data-found={isFound || undefined}>
            <summary>
              <code>{name}</code> {counted(entries.length, "rule")}{" "}
              {failed > 0 && <Tag tone="bad">{failed} failed</Tag>}
            </summary>
            <ul class="entries">{entries.map(ruleEntry)}</ul>
          </details>
        );
      })}
    </>
  );
}

function nameOfGroup({ rule }: FoundRule): string {
  return rule.id.split(".", 1).join();
}

/** A rule, with how many of the recorded requests passed and broke it. */
function ruleEntry({ rule, count, places }: FoundRule): VNode {
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
        {placeList(places)}
      </div>
    </li>
  );
}

function placeList(places: readonly string[]): VNode {
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
