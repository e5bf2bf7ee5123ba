import type {
  CataloguedRule,
  RuleCatalogue,
  RulePlace,
} from "../../src/server/protocol/rule_catalogue.ts";

const introduction = `# Rules

This page is generated from the rules in the sources, and from the requests that break them in tests (\`deno task generate\`).

A request is refused because of the first rule that it breaks. The log, the metrics, the pages of a lab, its report and \`assertClean\` name that rule by its id. \`hallpass explain RULE\` prints one rule, and \`/lab/rules\` in a lab shows them all.

## In their order

Each endpoint applies its rules in this order. A rule about a parameter is applied only to requests that have it. The token endpoint applies those of the grant after its own.`;

/** Writes the order of the rules at each endpoint, and a table of all, in Markdown. */
export function ruleReference({ rules, places }: RuleCatalogue): string {
  const table = [
    "## All rules",
    "| Rule | What holds | Parameter | Error | Advice | Section | Test |",
    "|---|---|---|---|---|---|---|\n" + rules.map(row).join("\n"),
  ].join("\n\n").replace("|\n\n|", "|\n|");
  return `${[introduction, ...places.map(order), table].join("\n\n")}\n`;
}

function order({ name, rules }: RulePlace): string {
  return `### ${name}\n\n${rules.map((id) => `[${id}](#${anchorOf(id)})`).join(", ")}`;
}

function row({ id, title, parameter, error, advice, see, test }: CataloguedRule): string {
  const cells = [
    `<a id="${anchorOf(id)}"></a>\`${id}\``,
    title,
    parameter === undefined ? "" : `\`${parameter}\``,
    `\`${error}\``,
    advice ?? "",
    see,
    `[test](../tests/support/broken_rules/${test})`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function anchorOf(id: string): string {
  return `rule-${id}`;
}
