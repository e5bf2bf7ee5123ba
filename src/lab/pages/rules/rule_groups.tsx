/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import type { CataloguedRule } from "../../util/rule_catalogue.ts";
import { Empty } from "../parts/empty.tsx";
import { SectionLink } from "../parts/section_link.tsx";
import { Tag } from "../parts/tag.tsx";
import type { RuleCount } from "./rule_counts.ts";

/** A rule of more places than this is folded. */
const maxUnfolded = 3;

/** A rule, and what is known about it. */
interface RuleEntryProps {
  rule: CataloguedRule;
  count: RuleCount | undefined;
  /** The endpoints and grants that apply the rule. */
  places: readonly string[];
}

interface RuleGroupsProps {
  rules: readonly RuleEntryProps[];
  /** Whether a search chose the rules, which are then unfolded. */
  isFound: boolean;
}

/** Rules in groups by what they are about: "code", "dpop". */
export function RuleGroups({ rules, isFound }: RuleGroupsProps): VNode {
  if (rules.length === 0) return <Empty title="No rule matches the filter" />;
  const names = new Set(rules.map(groupOf));
  return (
    <>
      {[...names].map((name) => (
        <RuleGroup
          name={name}
          entries={rules.filter((each) => groupOf(each) === name)}
          isFound={isFound}
        />
      ))}
    </>
  );
}

function groupOf({ rule }: RuleEntryProps): string {
  return rule.id.split(".", 1).join();
}

interface RuleGroupProps {
  name: string;
  entries: readonly RuleEntryProps[];
  isFound: boolean;
}

function RuleGroup({ name, entries, isFound }: RuleGroupProps): VNode {
  const failed = entries.reduce((sum, { count }) => sum + (count?.failed ?? 0), 0);
  return (
    <details id={`rules-${name}`} open={isFound} data-found={isFound || undefined}>
      <summary>
        <code>{name}</code> {counted(entries.length, "rule")}{" "}
        {failed > 0 && <Tag tone="bad">{failed} failed</Tag>}
      </summary>
      <ul class="entries">{entries.map((entry) => <RuleEntry {...entry} />)}</ul>
    </details>
  );
}

/** A rule, with how many of the recorded requests passed and broke it. */
function RuleEntry({ rule, count, places }: RuleEntryProps): VNode {
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
