/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { groupBy } from "../../util/lists.ts";
import type { CataloguedRule, RulePlace } from "../../util/rule_catalogue.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { pageAt } from "../page/page_routes.ts";
import { Count, FilterForm, hasWords } from "../parts/long_list.tsx";
import { inWords } from "../parts/schema_fields.ts";
import { Group, PageHead } from "../parts/section.tsx";
import { SectionLink } from "../parts/section_link.tsx";
import { Empty } from "../parts/tables.tsx";
import { Tag } from "../parts/tag.tsx";

/** A rule of more places than this is folded. */
const maxUnfolded = 3;

/** How many of the recorded requests passed and broke a rule. */
interface RuleCount {
  passed: number;
  failed: number;
}

/** A rule, and what is known about it. */
interface FoundRule {
  rule: CataloguedRule;
  count: RuleCount | undefined;
  /** The endpoints and grants that apply the rule. */
  places: readonly string[];
}

export const rulePages: readonly LabPageRoute[] = [pageAt("/rules", rulesPage)];

async function rulesPage(lab: CoreLab, { base, query }: LabPageCall): Promise<LabPage> {
  const { ruleCatalogue } = await import("../../util/rule_catalogue.ts");
  const { rules, places } = ruleCatalogue;
  const counts = countRules(lab.exchanges());
  const search = query.get("q") ?? "";
  const found = rules.filter((rule) => hasWords(textOf(rule), search));
  return {
    title: "Rules",
    isLive: true,
    content: (
      <>
        <PageHead title="Rules">
          A request is refused because of the first rule that it breaks. The log, the report and
          {" "}
          <code>assertClean</code> name it by its id.
        </PageHead>
        <FilterForm
          action={`${base}/lab/rules`}
          label="Find a rule"
          hint="redirect_uri, nonce, invalid_grant"
          query={query}
        />
        <div id="rules" data-live>
          <p>
            <Count shown={found.length} all={rules.length} /> rules
          </p>
          {ruleGroups(
            found.map((rule) => ({
              rule,
              count: counts.get(rule.id),
              places: placesOf(places, rule.id),
            })),
            search !== "",
          )}
        </div>
      </>
    ),
  };
}

function textOf({ id, title, parameter, error, fix }: CataloguedRule): string {
  return [id, title, parameter, error, fix].join(" ");
}

function placesOf(places: readonly RulePlace[], rule: string): string[] {
  return places.filter(({ rules }) => rules.includes(rule)).map(({ name }) => name);
}

/** Counts what the recorded requests passed and broke, by the id of the rule. */
function countRules(exchanges: readonly Exchange[]): Map<string, RuleCount> {
  const counts = new Map<string, RuleCount>();
  for (const { rule, passed } of exchanges.flatMap(({ rules }) => rules)) {
    const count = counts.get(rule.id) ?? { passed: 0, failed: 0 };
    count[passed ? "passed" : "failed"]++;
    counts.set(rule.id, count);
  }
  return counts;
}

/** Rules in groups by what they are about: "code", "dpop". Those that a search found are unfolded. */
function ruleGroups(rules: readonly FoundRule[], isFound: boolean): VNode {
  if (rules.length === 0) return <Empty title="No rule matches the filter" />;
  return (
    <div class="groups">
      {groupBy(rules, nameOfGroup).map((entries) => {
        const name = nameOfGroup(entries[0]);
        const failed = entries.reduce((sum, { count }) => sum + (count?.failed ?? 0), 0);
        return (
          <Group
            id={`rules-${name}`}
            title={inWords(name)}
            count={counted(entries.length, "rule")}
            tags={failed > 0 && <Tag tone="bad">{failed} failed</Tag>}
            isFound={isFound}
          >
            <ul class="entries">{entries.map(ruleEntry)}</ul>
          </Group>
        );
      })}
    </div>
  );
}

function nameOfGroup({ rule }: FoundRule): string {
  return rule.id.split(".", 1).join();
}

/** A rule, with how many of the recorded requests passed and broke it. */
function ruleEntry({ rule, count, places }: FoundRule): VNode {
  const { id, title, parameter, error, fix, see } = rule;
  return (
    <li id={id}>
      <div>
        <strong>{title}</strong> <code class="rule">{id}</code>{" "}
        {count && count.passed > 0 && <Tag tone="good">{`${count.passed} passed`}</Tag>}{" "}
        {count && count.failed > 0 && <Tag tone="bad">{`${count.failed} failed`}</Tag>}
        {fix !== undefined && <p class="help">{fix}</p>}
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
