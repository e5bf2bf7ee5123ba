import { nearestName } from "../../../server/util/text/nearest_name.ts";
import { LabError } from "../../util/lab_error.ts";
import { loadApiChecks } from "../api_drill/agents.ts";
import { drilledRules } from "../drill/agents.ts";
import { loadReportChecks } from "../report/agents.ts";
import type { AgentResult, ExplainableRule } from "./agent_tool.ts";
import { fixForAgent } from "./fix_for_agent.ts";

/** What explains findings of features, which are no rules of the server. */
const others: ReadonlyArray<() => Promise<readonly ExplainableRule[]>> = [
  loadReportChecks,
  drilledRules,
  loadApiChecks,
];

export async function explainRule(id: string): Promise<AgentResult> {
  const { ruleCatalogue } = await import("../../util/rule_catalogue.ts");
  const rules: ExplainableRule[] = [
    ...ruleCatalogue.rules,
    ...(await Promise.all(others.map((load) => load()))).flat(),
  ];
  const rule = rules.find((each) => each.id === id);
  if (!rule) {
    const nearest = nearestName(id, rules.map((each) => each.id));
    const hint = nearest === undefined ? "" : ` Did you mean '${nearest}'?`;
    throw new LabError(`There is no rule '${id}'.${hint} explain without arguments names a rule.`);
  }
  const { title, gain, see } = rule;
  const fix = fixForAgent(id, rule.fix);
  const details = [gain, fix && `fix: ${fix}`, see && `section: ${see}`].filter(Boolean);
  const value = { about: id, outcome: title, gain, fix, see };
  return { rows: [`${id}: ${title}`, ...details.map((each) => `  ${each}`)], value };
}
