import type { CataloguedRule, RuleCatalogue } from "../../src/lab/util/rule_catalogue.ts";
import type { Rule } from "../../src/server/protocol/rule.ts";
import { testOf } from "../../tests/support/broken_rules/rows.ts";
import { findRules } from "./find_rules.ts";
import { observePlaces } from "./observe_rules.ts";

/** Returns every rule of the sources, and where requests were seen to obey or break it. */
export async function createRuleCatalogue(): Promise<RuleCatalogue> {
  const places = await observePlaces();
  const rules = (await findRules()).map(describeRule);
  const ids = [
    ...new Set([...places.flatMap((place) => place.rules), ...rules.map(({ id }) => id)]),
  ];
  const inOrder = ids.flatMap((id) => rules.filter((rule) => rule.id === id));
  return { rules: inOrder, places };
}

/** Returns what the catalogue says about a rule. */
export function describeRule(
  { id, title, see, parameter, error, message, advice }: Rule<never>,
): CataloguedRule {
  const test = testOf(id);
  return {
    ...{ id, title, see },
    ...parameter !== undefined && { parameter },
    error,
    ...typeof message === "string" && message !== `${title}.` && { message },
    ...advice !== undefined && { advice },
    ...test !== undefined && { test },
  };
}
