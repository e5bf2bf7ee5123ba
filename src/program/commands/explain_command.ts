import type { CataloguedRule, RuleCatalogue, RulePlace } from "../../lab/util/rule_catalogue.ts";
import { nearestName } from "../../server/util/text/nearest_name.ts";
import { counted } from "../../server/util/time/duration.ts";
import { type Command, type Invocation, valueOf } from "../command_line/command.ts";
import { printResult } from "../command_line/listing.ts";
import { json, logFile } from "../command_line/options.ts";
import { loadApiChecks } from "../features/api_drill/commands.ts";
import { drillVariantNames } from "../features/drill/command_line.ts";
import { faultNames } from "../features/faults/commands.ts";
import { loadReportChecks } from "../features/report/commands.ts";
import { formatRefusal, type LoggedEvent, openLog } from "../monitoring/read_log.ts";
import { success, UsageError } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** How many rules are listed for an error, a parameter or a misspelled name. */
const maxListed = 10;

const requestId = /^[0-9a-f]{16}$/;

/** Loads the names of what is no rule, and what explains one. */
const explainedElsewhere: ReadonlyArray<() => Promise<ExplainedNames>> = [
  loadReportChecks,
  loadApiChecks,
  drillVariantNames,
  faultNames,
];

/** Names of what is no rule, and what explains one. */
interface ExplainedNames {
  names: readonly string[];
  explain: (name: string) => ExplainedName;
}

interface ExplainedName {
  value: object;
  title: string;
  facts: readonly ExplainedFact[];
}

type ExplainedFact = readonly [name: string, value: string | undefined];

/** What the command prints: a value as JSON, or a text. */
interface PrintedExplanation {
  value: object;
  text: string;
}

/**
 * Prints what a rule or a finding means and what to do, or lists rules: those with an error or a
 * parameter, or all.
 */
export const explain: Command = {
  name: "explain",
  operandName: "[NAME]",
  help:
    "explains a rule, or a finding about an application or an API; lists the rules with an error " +
    "or a parameter, or all rules; with a log, also its refusals, by rule or request",
  options: [{ ...logFile, help: `explain its last refusals in ${logFile.help}` }, json],
  examples: [
    "hallpass explain code.redirect_uri",
    "hallpass explain plain-challenge",
    "hallpass explain invalid_grant",
    "hallpass explain 83c27371ff7038a5 --log-file hallpass.log",
    "hallpass explain",
  ],
  async run(invocation, terminal) {
    const { ruleCatalogue: catalogue } = await import("../../lab/util/rule_catalogue.ts");
    const { operand } = invocation;
    const refusals = await readRefusals(invocation, terminal);
    // A request is named by its id in the log.
    const request = refusals.find(({ request }) => request === operand);
    const { value, text } = operand === undefined
      ? { value: catalogue, text: listPlaces(catalogue) }
      : await explainName(catalogue, request?.rule ?? request?.error ?? operand);
    const texts = [text, ...refusals.map(formatRefusal)].join("\n\n");
    const result = refusals.length > 0 ? { ...value, refusals } : value;
    printResult(invocation, terminal, result, texts);
    return success;
  },
};

/** Reads the last refusals by the rule, or of the request, that a command is about. */
async function readRefusals(
  invocation: Invocation,
  terminal: Terminal,
): Promise<LoggedEvent[]> {
  const path = valueOf(invocation, "log-file");
  const { operand } = invocation;
  if (path === undefined) {
    if (!requestId.test(operand ?? "")) return [];
    throw new UsageError(
      `${operand} is the id of a request. To explain it, add --log-file FILE, or - for standard input.`,
    );
  }
  const find = await openLog(path, terminal);
  const refusals = find(
    "request.refused",
    ({ rule, error, request }) => [rule, error, request].includes(operand ?? ""),
  );
  if (refusals.length > 0 || !requestId.test(operand ?? "")) return refusals;
  throw new UsageError(`The log has no refusal of the request ${operand}.`);
}

async function explainName(catalogue: RuleCatalogue, name: string): Promise<PrintedExplanation> {
  const { rules } = catalogue;
  const rule = rules.find(({ id }) => id === name);
  if (rule) return printed(describeRule(catalogue, rule));
  const elsewhere = await Promise.all(explainedElsewhere.map((load) => load()));
  const other = elsewhere.find(({ names }) => names.includes(name));
  if (other) {
    const explained = other.explain(name);
    return printed({ ...explained, facts: [...explained.facts, ...seeAlso(elsewhere, name)] });
  }
  const related = rules.filter(({ error, parameter }) => [error, parameter].includes(name));
  if (related.length > 0) return listRelated(name, related);
  const ids = [...rules.map(({ id }) => id), ...elsewhere.flatMap(({ names }) => names)];
  throw new UsageError(`There is no rule '${name}'. ${suggestion(name, [...new Set(ids)])}`);
}

/** Names that differ in nothing but their separators are easily mistaken for each other. */
function seeAlso(elsewhere: readonly ExplainedNames[], name: string): ExplainedFact[] {
  const words = (text: string) => text.replaceAll("_", "-");
  return elsewhere.flatMap(({ names, explain }) =>
    names.filter((other) => other !== name && words(other) === words(name))
      .map((other): ExplainedFact => ["See also", explain(other).title])
  );
}

function printed({ value, title, facts }: ExplainedName): PrintedExplanation {
  const lines = facts.filter(([, fact]) => fact !== undefined)
    .map(([fact, text]) => `  ${fact.padEnd(12)}${text}`);
  return { value, text: [title, "", ...lines].join("\n") };
}

/** Lists the first rules with an error or a parameter. */
function listRelated(name: string, related: readonly CataloguedRule[]): PrintedExplanation {
  const what = related.some(({ error }) => error === name) ? "error" : "parameter";
  const lines = [...linesOf(related.slice(0, maxListed)).values()];
  const title = `${name}: the ${what} of ${counted(related.length, "rule")}`;
  return {
    value: { [what]: name, rules: related },
    text: [title, "", ...lines, ...andMore(related).map((more) => `  ${more}`)].join("\n"),
  };
}

function andMore({ length }: readonly unknown[]): string[] {
  return length > maxListed ? [`and ${length - maxListed} more: 'hallpass explain' lists all`] : [];
}

function suggestion(name: string, ids: readonly string[]): string {
  const nearest = nearestName(name, ids);
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  const words = wordsOf(name);
  const countShared = (id: string) => wordsOf(id).filter((word) => words.includes(word)).length;
  const most = Math.max(...ids.map(countShared));
  if (most === 0) return "'hallpass explain' lists all rules.";
  const similar = ids.filter((id) => countShared(id) === most);
  const listed = [...similar.slice(0, maxListed), ...andMore(similar)];
  return `Did you mean one of these? ${listed.join(", ")}`;
}

/** Returns the words of a name that tell it from others. */
function wordsOf(name: string): string[] {
  return name.split(/[._-]/).filter((word) => word.length > 2);
}

function describeRule(catalogue: RuleCatalogue, rule: CataloguedRule): ExplainedName {
  const { id, error, message, parameter, fix, see } = rule;
  const places = catalogue.places.filter(({ rules }) => rules.includes(id));
  return {
    value: { ...rule, places: places.map(({ name }) => name) },
    title: `${id}: ${rule.title}`,
    facts: [
      ["Error", message === undefined ? error : `${error}: ${message}`],
      ["Parameter", parameter],
      ["To fix it", fix],
      ["Section", see],
      ...places.map((place, at) => [at === 0 ? "Applied at" : "", placeOf(id, place)] as const),
    ],
  };
}

function placeOf(id: string, { name, rules }: RulePlace): string {
  return `${name}, as rule ${rules.indexOf(id) + 1} of ${rules.length}`;
}

/**
 * Lists the rules by endpoint and grant in the order in which they are applied, with their errors.
 * Those that no request to a lab shows come last.
 */
function listPlaces({ rules, places }: RuleCatalogue): string {
  const lines = linesOf(rules);
  const placed = new Set(places.flatMap((place) => place.rules));
  const others = rules.map(({ id }) => id).filter((id) => !placed.has(id));
  return [...places, { name: "Elsewhere", rules: others }]
    .map(({ name, rules: ids }) => [name, ...ids.map((id) => lines.get(id))].join("\n"))
    .join("\n\n");
}

/** Returns a line for each rule, by its id, in columns. */
function linesOf(rules: readonly CataloguedRule[]): Map<string, string> {
  const idWidth = Math.max(...rules.map(({ id }) => id.length));
  const errorWidth = Math.max(...rules.map(({ error }) => error.length));
  return new Map(rules.map(({ id, error, title }) => [
    id,
    `  ${id.padEnd(idWidth)}  ${error.padEnd(errorWidth)}  ${title}`,
  ]));
}
