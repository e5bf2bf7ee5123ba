/** @jsxImportSource preact */
import type { RulePlace } from "../../../server/protocol/rule_catalogue.ts";
import type { Lab } from "../../control/lab.ts";
import type { LabPage, LabPageRoute } from "../page/lab_page.ts";
import { PageHead, Section } from "../parts/section.tsx";
import { countRules } from "./rule_counts.ts";
import { RuleEntry } from "./rule_entry.tsx";
import { RuleOrder } from "./rule_order.tsx";

/** The page of all rules, in the order in which each endpoint applies them. */
export const rulePages: readonly LabPageRoute[] = [
  { method: "GET", path: "/rules", handle: rulesPage },
];

async function rulesPage(lab: Lab): Promise<LabPage> {
  const { ruleCatalogue: { rules, places } } = await import(
    "../../../server/protocol/catalogued_rules.ts"
  );
  const counts = countRules(lab.exchanges());
  return {
    title: "Rules",
    content: (
      <>
        <PageHead title="Rules">
          A request is refused because of the first rule that it breaks. The log, the report and
          {" "}
          <code>assertClean</code> name it by its id.
        </PageHead>
        <Section title="In their order" id="order">
          {places.map((place) => <RuleOrder place={place} />)}
        </Section>
        <Section title="All rules" id="rules">
          <ul class="entries">
            {rules.map((rule) => (
              <RuleEntry
                rule={rule}
                count={counts.get(rule.id)}
                places={placesOf(places, rule.id)}
              />
            ))}
          </ul>
        </Section>
      </>
    ),
  };
}

function placesOf(places: readonly RulePlace[], rule: string): string[] {
  return places.filter(({ rules }) => rules.includes(rule)).map(({ name }) => name);
}
