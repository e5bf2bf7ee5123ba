/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import { Empty } from "../parts/empty.tsx";
import { Tag } from "../parts/tag.tsx";
import { RuleEntry, type RuleEntryProps } from "./rule_entry.tsx";

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
