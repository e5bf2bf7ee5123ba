import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CataloguedRule, RuleCatalogue } from "../../src/lab/util/rule_catalogue.ts";
import type { Rule } from "../../src/server/protocol/rule.ts";
import { isObject } from "../../src/server/util/text/json.ts";
import { testOf } from "../../tests/support/broken_rules/rows.ts";
import { bundle } from "../bundle.ts";
import { filesIn } from "../files.ts";
import { code, section, table } from "../references/markdown.ts";
import { observePlaces } from "./observe_rules.ts";

const bundleFile = ".build/rules.mjs";

/** What modules create rules with. */
const createsRules = /\b(?:ruleSet|pollingRules)\(/;

/** Fewer rules with the same first word have no section. */
const smallestSection = 3;

/** The rules of other credentials that work once are much like those of this one. */
const model = "code";

/** Shorter texts are repeated. */
const shortText = 40;

const introduction = `# Rules

This page is generated (\`deno task generate\`). The server refuses a request because of the first rule that it breaks. Logs, pages, reports and \`assertClean\` name it by its id. \`hallpass explain\` and \`/lab/rules\` list the rules of each endpoint in order.

The head of a last column is the error and the section of most rules in its table; the cells below have those of the others. OIDC is OpenID Connect, CIMD a Client ID Metadata Document, MCP WIF its Workload Identity Federation. For each rule, [a test](../tests/support/broken_rules/rows.ts) sends the request that breaks it.`;

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

/**
 * Finds every rule of the sources, exported or not: in one bundle, each constant of a module is a
 * variable at the top, which the bundle then exports.
 */
export async function findRules(): Promise<Rule<never>[]> {
  const files = filesIn("src", /\.ts$/)
    .filter((file) => createsRules.test(readFileSync(file, "utf8")));
  const contents = files.map((file) => `import "./${file}";`).join("\n");
  const { outputFiles = [] } = bundle({
    stdin: { contents, resolveDir: "." },
    packages: "external",
    treeShaking: false,
    write: false,
  });
  const code = outputFiles[0]?.text ?? "";
  const names = [...code.matchAll(/^var (\w+) =/gm)].map(([, name]) => name);
  await mkdir(".build", { recursive: true });
  await writeFile(bundleFile, `${code}\nexport const constants = [${names.join(", ")}];\n`);
  const { constants } = await import(`${pathToFileURL(resolve(bundleFile))}?${Date.now()}`);
  return rulesIn(constants, new Set());
}

/** Returns what the catalogue says about a rule. */
export function describeRule(
  { id, title, see, parameter, error, message, fix }: Rule<never>,
): CataloguedRule {
  const test = testOf(id);
  return {
    ...{ id, title, see },
    ...parameter !== undefined && { parameter },
    error,
    ...typeof message === "string" && message !== `${title}.` && { message },
    ...fix !== undefined && { fix },
    ...test !== undefined && { test },
  };
}

/** Writes the rules by the first words of their ids, in Markdown. */
export function ruleReference({ rules }: RuleCatalogue): string {
  const groups = Map.groupBy(rules, ({ id }) => wordOf(id));
  const models = (groups.get(model) ?? []).map(comparable);
  const isLikeModel = (rule: CataloguedRule) =>
    wordOf(rule.id) !== model && models.includes(comparable(rule));
  const sections = [...groups].filter(([, group]) => group.length >= smallestSection)
    .map(([word, group]) => {
      const like = group.filter(isLikeModel).map(({ id }) => code(id));
      const section = sectionOf(code(word), group.filter((rule) => !isLikeModel(rule)));
      return like.length > 0
        ? `${section}\n\nAs below ${code(model)}: ${like.join(", ")}.`
        : section;
    });
  const others = [...groups.values()].filter(({ length }) => length < smallestSection).flat();
  return `${[introduction, ...sections.sort(), sectionOf("Other rules", others)].join("\n\n")}\n`;
}

/** Writes a table of rules. What most of them share is the head of a column. */
function sectionOf(title: string, rules: readonly CataloguedRule[]): string {
  const error = mostFrequent(rules.map(({ error }) => code(error)));
  const see = mostFrequent(rules.map((rule) => section(rule.see)));
  const rows = rules.map((rule, index) => [
    code(rule.id),
    rule.title,
    fixOf(rule, rules.slice(0, index)),
    [code(rule.error), section(rule.see)].filter((each) => each !== error && each !== see)
      .join(", "),
  ]);
  return `## ${title}\n\n${table(["Rule", "Requirement", "Fix", `${error}, ${see}`], rows)}`;
}

/** Returns how to obey a rule. What is long stands in a section once. */
function fixOf({ fix = "" }: CataloguedRule, before: readonly CataloguedRule[]) {
  const same = before.find((rule) => rule.fix === fix);
  if (same === undefined || fix === "") return fix;
  if (before.at(-1)?.fix === fix) return "As above.";
  return fix.length < shortText ? fix : `As for ${code(same.id)}.`;
}

function wordOf(id: string): string {
  return id.split(".", 1)[0] ?? "";
}

/** Returns what a reader learns about a rule, without the name of what it is about. */
function comparable({ id, title, fix, error, see }: CataloguedRule): string {
  const word = wordOf(id);
  const name = word.replaceAll("_", " ");
  return [id, title, fix, error, see].join("\n").replaceAll(word, "").replaceAll(name, "");
}

function mostFrequent(texts: readonly string[]): string {
  const counted = [...Map.groupBy(texts, (text) => text)];
  return counted.reduce((first, next) => next[1].length > first[1].length ? next : first)[0];
}

function rulesIn(value: unknown, seen: Set<unknown>): Rule<never>[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (isRule(value)) return [value];
  return Object.values(value).flatMap((member) => rulesIn(member, seen));
}

function isRule(value: object): value is Rule<never> {
  return isObject(value) && typeof value.id === "string" && typeof value.holds === "function";
}
