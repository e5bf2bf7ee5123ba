/** @jsxImportSource preact */
import type { CoreLab } from "../../core/core_lab.ts";
import type { CataloguedRule, RulePlace } from "../../util/rule_catalogue.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { FilterForm, hasWords } from "../parts/filter_form.tsx";
import { Count } from "../parts/pager.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { countRules } from "./rule_counts.ts";
import { ruleGroups } from "./rule_groups.tsx";

/** The page of all rules. */
export const rulePages: readonly LabPageRoute[] = [
  { method: "GET", path: "/rules", handle: rulesPage },
];

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
        <Section
          title="All rules"
          id="rules"
          live
          actions={<Count shown={found.length} all={rules.length} />}
        >
          {ruleGroups(
            found.map((rule) => ({
              rule,
              count: counts.get(rule.id),
              places: placesOf(places, rule.id),
            })),
            search !== "",
          )}
        </Section>
      </>
    ),
  };
}

function textOf({ id, title, parameter, error, advice }: CataloguedRule): string {
  return [id, title, parameter, error, advice].join(" ");
}

function placesOf(places: readonly RulePlace[], rule: string): string[] {
  return places.filter(({ rules }) => rules.includes(rule)).map(({ name }) => name);
}
