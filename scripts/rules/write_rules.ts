import { posix } from "node:path";
import type { CataloguedRule, RuleCatalogue } from "../../src/lab/util/rule_catalogue.ts";

const introduction = `# Rules

This page is generated from the rules in the sources, and from the requests that break them in tests (\`deno task generate\`).

A request is refused because of the first rule that it breaks. The log, the metrics, the pages of a lab, its report and \`assertClean\` name that rule by its id. \`hallpass explain RULE\` prints one rule and where it is applied, \`hallpass explain\` lists all in the order of each endpoint, and \`/lab/rules\` in a lab shows them.

| Rule | What holds | Parameter | Error | Advice | Section | Test |
|---|---|---|---|---|---|---|`;

/** Writes a table of all rules, in Markdown. */
export function ruleReference({ rules }: RuleCatalogue): string {
  return `${[introduction, ...rules.map(row)].join("\n")}\n`;
}

function row({ id, title, parameter, error, advice, see, test }: CataloguedRule): string {
  const cells = [
    `\`${id}\``,
    title,
    parameter === undefined ? "" : `\`${parameter}\``,
    `\`${error}\``,
    advice ?? "",
    see,
    test === undefined ? "" : `[test](${posix.join("../tests/support/broken_rules", test)})`,
  ];
  return `| ${cells.join(" | ")} |`;
}
