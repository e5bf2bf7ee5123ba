import type { CataloguedRule, RuleCatalogue, RulePlace } from "../protocol/rule_catalogue.ts";
import { nearestName } from "../util/nearest_name.ts";
import { type Command, success, UsageError } from "./command.ts";
import { printResult } from "./listing.ts";
import { json } from "./options.ts";

/** Prints what a rule requires and how to fix a request that breaks it, or lists all rules. */
export const explain: Command = {
  name: "explain",
  operandName: "RULE",
  help: "explains a rule that the log, the metrics or a report names, or lists all rules",
  options: [json],
  examples: ["hallpass explain code.redirect_uri", "hallpass explain"],
  async run(invocation, terminal) {
    const { ruleCatalogue: catalogue } = await import("../protocol/catalogued_rules.ts");
    const { operand } = invocation;
    if (operand === undefined) {
      printResult(invocation, terminal, catalogue, listRules(catalogue));
      return success;
    }
    const rule = requireRule(catalogue, operand);
    const places = catalogue.places.filter(({ rules }) => rules.includes(rule.id));
    const names = places.map(({ name }) => name);
    printResult(invocation, terminal, { ...rule, places: names }, describeRule(rule, places));
    return success;
  },
};

function requireRule({ rules }: RuleCatalogue, id: string): CataloguedRule {
  const rule = rules.find((each) => each.id === id);
  if (rule) return rule;
  throw new UsageError(`There is no rule '${id}'. ${suggestion(id, rules.map((each) => each.id))}`);
}

function suggestion(id: string, ids: readonly string[]): string {
  const nearest = nearestName(id, ids);
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  const similar = ids.filter((each) => each.split(/[._]/).some((word) => id.includes(word)));
  if (similar.length > 0) return `Did you mean one of these? ${similar.join(", ")}`;
  return "'hallpass explain' lists all rules.";
}

function describeRule(rule: CataloguedRule, places: readonly RulePlace[]): string {
  const { id, title, error, message, parameter, advice, see } = rule;
  const facts = [
    ["Error", message === undefined ? error : `${error}: ${message}`],
    ["Parameter", parameter],
    ["To fix it", advice],
    ["Section", see],
    ...places.map(({ name, rules }, at) => [
      at === 0 ? "Applied at" : "",
      `${name}, ${rules.indexOf(id) + 1} of ${rules.length}`,
    ]),
  ];
  const lines = facts.filter(([, value]) => value !== undefined);
  const described = lines.map(([name = "", value]) => `  ${name.padEnd(12)}${value}`);
  return [`${id}: ${title}`, "", ...described].join("\n");
}

/** Lists the rules by endpoint and grant in the order in which they are applied, with their errors. */
function listRules({ rules, places }: RuleCatalogue): string {
  const idWidth = Math.max(...rules.map(({ id }) => id.length));
  const errorWidth = Math.max(...rules.map(({ error }) => error.length));
  const lines = new Map(rules.map(({ id, error, title }) => [
    id,
    `  ${id.padEnd(idWidth)}  ${error.padEnd(errorWidth)}  ${title}`,
  ]));
  return places.map(({ name, rules: ids }) => [name, ...ids.map((id) => lines.get(id))].join("\n"))
    .join("\n\n");
}
