import { nearestName } from "../../../server/util/text/nearest_name.ts";
import { LabError } from "../../util/lab_error.ts";
import { reportedRules } from "../report/agents.ts";
import type { Explanation } from "./agent_results.ts";
import type { AgentResult } from "./agent_tool.ts";

/** A rule, or what a feature finds out about clients, as far as it can be explained. */
export interface ExplainableRule {
  id: string;
  title: string;
  fix?: string | undefined;
  see?: string | undefined;
}

/** What explains findings of features, which are no rules of the server. */
const others: ReadonlyArray<() => Promise<readonly ExplainableRule[]>> = [
  reportedRules,
];

/** Explains a rule by its id. */
export async function explainRule(id: string): Promise<AgentResult> {
  const rules = await loadRules();
  const rule = rules.find((each) => each.id === id);
  if (!rule) {
    const nearest = nearestName(id, rules.map((each) => each.id));
    const hint = nearest === undefined ? "" : ` Did you mean '${nearest}'?`;
    throw new LabError(`There is no rule '${id}'.${hint} explain without arguments names a rule.`);
  }
  const { title, fix, see } = rule;
  const value: Explanation = { about: id, outcome: title, fix, see };
  const lines = [`${id}: ${title}`, fix && `fix: ${fix}`, see && `section: ${see}`];
  return { text: lines.filter(Boolean).join("\n  "), value };
}

/** Loads all that can be explained. */
export async function loadRules(): Promise<ExplainableRule[]> {
  const { ruleCatalogue } = await import("../../util/rule_catalogue.ts");
  const own = ruleCatalogue.rules.map(({ id, title, advice: fix, see }) => ({
    id,
    title,
    fix,
    see,
  }));
  return [...own, ...(await Promise.all(others.map((load) => load()))).flat()];
}
