import {
  type ApiSchema,
  type ApiSchemas,
  loadLabSchemas,
} from "../../../lab/control/lab_schemas.ts";
import { inputSchema, openSegment, readInput } from "../../../lab/control/operation_input.ts";
import type { OperationDescription } from "../../../lab/core/operation.ts";
import { operations } from "../../../lab/routes/operation_table.ts";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { nearestName } from "../../../server/util/text/nearest_name.ts";
import type { Invocation, OptionValues } from "../../command_line/command.ts";
import { describeOption } from "../../command_line/help.ts";
import { printResult, printRows } from "../../command_line/listing.ts";
import { askLab, refusalIn } from "../../lab_client/running_lab.ts";
import { success, UsageError } from "../../terminal/exit_code.ts";
import { printable } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { callOptions } from "./call_options.ts";

/** What a command can call: streams and files are for other programs. */
const callable = operations.filter(({ returns, otherFormats, readsBody }) =>
  !readsBody && (returns !== undefined || !otherFormats)
);

/** What fish runs at its start: `hallpass call --completion fish | source`. */
const fishScript =
  `complete -c hallpass -f -n '__fish_seen_subcommand_from call' -a '(hallpass call --complete (commandline -cp | string collect))'`;

/** What another shell runs: `source <(hallpass call --completion)`, in zsh after `compinit`. */
const completionScript =
  `if [ -n "$ZSH_VERSION" ]; then autoload -U +X bashcompinit && bashcompinit; fi
_hallpass() {
  COMPREPLY=($(hallpass call --complete "\${COMP_LINE:0:$COMP_POINT}" 2>/dev/null))
}
complete -o default -F _hallpass hallpass`;

export const ownOptions = [...callOptions, { name: "help" }].map(({ name }) => name);

/** Calls an operation of a running lab, lists all, or explains one. */
export async function runCallCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  const { operand, values } = invocation;
  const [line] = values.get("complete") ?? [];
  if (line !== undefined || values.has("completion")) {
    const script = operand === "fish" ? fishScript : completionScript;
    const found = line === undefined
      ? [script]
      : completionsOf(line, callable, await loadLabSchemas());
    for (const each of found) terminal.print(each);
    return success;
  }
  if (operand === undefined) {
    const rows = callable.map(({ name, summary }) => ({ name, summary }));
    await printRows(invocation, terminal, rows, "");
    return success;
  }
  const operation = requireOperation(operand);
  const schemas = await loadLabSchemas();
  if (values.has("help")) terminal.print(helpOn(operation, schemas));
  else await printCall(invocation, terminal, operation, readMembers(operation, schemas, values));
  return success;
}

function requireOperation(name: string): OperationDescription {
  const found = callable.find((each) => each.name === name);
  if (found) return found;
  const nearest = nearestName(name, callable.map((each) => each.name));
  const advice = nearest ? `Did you mean '${nearest}'?` : "hallpass call lists them.";
  throw new UsageError(`There is no operation '${name}'. ${advice}`);
}

function helpOn(operation: OperationDescription, schemas: ApiSchemas): string {
  const { properties, required } = inputSchema(operation, schemas);
  const options = Object.entries(properties).map(([name, { description = "" }]) =>
    describeOption({
      name,
      valueName: "VALUE",
      help: required.includes(name) ? `${description} (required)` : description,
    })
  );
  return [`hallpass call ${operation.name}\n`, operation.summary, "", ...options].join("\n");
}

/**
 * Returns the members that the options of a command line give, by the schema of each.
 *
 * @throws {UsageError} The operation has no such member, or needs one that is missing.
 */
function readMembers(
  operation: OperationDescription,
  schemas: ApiSchemas,
  values: OptionValues,
): Record<string, unknown> {
  const { properties, required } = inputSchema(operation, schemas);
  const given = [...values].filter(([name]) => !ownOptions.includes(name));
  const names = Object.keys(properties);
  const [unknown] = given.filter(([name]) => !names.includes(name));
  if (unknown) throw new UsageError(unknownMember(operation, unknown[0], names));
  const [missing] = required.filter((name) => !values.has(name));
  if (missing) throw new UsageError(`hallpass call ${operation.name} needs --${missing} VALUE.`);
  return Object.fromEntries(
    given.map(([name, texts]) => [name, readMember(properties[name] ?? {}, texts)]),
  );
}

function unknownMember({ name }: OperationDescription, typed: string, names: string[]): string {
  const nearest = nearestName(typed, names);
  const advice = nearest ? `Did you mean '--${nearest}'?` : `See hallpass call ${name} --help.`;
  return `hallpass call ${name} has no option '--${typed}'. ${advice}`;
}

function readMember({ type, anyOf }: ApiSchema, texts: readonly string[]): unknown {
  const [text = ""] = texts.slice(-1);
  const types = [type ?? anyOf?.map((each) => each.type) ?? []].flat(2);
  if (types.includes("string") && texts.length === 1) return text;
  if (types.includes("array") && !text.startsWith("[")) return texts;
  const value = parseJson(text);
  // The lab refuses what is no JSON, with a reason.
  return value === undefined ? text : value;
}

async function printCall(
  invocation: Invocation,
  terminal: Terminal,
  operation: OperationDescription,
  members: Record<string, unknown>,
): Promise<void> {
  const { method, path } = operation;
  const { segment, query, body } = readInput(operation, members);
  const place = path.replace(`:${openSegment(path)}`, encodeURIComponent(segment));
  const target = query.size > 0 ? `${place}?${query}` : place;
  const result = await askLab(invocation, target, method === "GET" ? undefined : body, { method });
  if (isObject(result) && "error_description" in result) throw new UsageError(refusalIn(result));
  if (Array.isArray(result) && !invocation.values.has("json")) {
    return await printRows(invocation, terminal, result.map(rowOf), "There is none.");
  }
  const lines = Object.entries(Object(result)).map(([name, value]) => `${name}: ${textOf(value)}`);
  printResult(invocation, terminal, Object(result), lines.join("\n") || "Done.");
}

function rowOf(entry: unknown): Record<string, string> {
  const members = Object.entries(Object(entry));
  return Object.fromEntries(members.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  return printable(typeof value === "string" ? value : JSON.stringify(value) ?? "");
}

/** Returns what can follow a command line: names of operations, members of one, or their values. */
function completionsOf(
  line: string,
  operations: readonly OperationDescription[],
  schemas: ApiSchemas,
): string[] {
  const words = line.split(/\s+/);
  const [name, ...given] = words.slice(words.indexOf("call") + 1);
  if (!words.includes("call") || name === undefined) return [];
  const typed = given.at(-1) ?? name;
  const known = (names: readonly string[]) => names.filter((each) => each.startsWith(typed));
  if (given.length === 0) return known(operations.map((each) => each.name));
  const operation = operations.find((each) => each.name === name);
  if (!operation) return [];
  const { properties } = inputSchema(operation, schemas);
  const [member = ""] = given.slice(-2, -1);
  const isValue = member.startsWith("--") && !typed.startsWith("--");
  if (isValue) {
    const { [member.slice(2)]: values } = operation.values ?? {};
    return known(values?.() ?? valuesOf(properties[member.slice(2)] ?? {}, schemas));
  }
  return known(Object.keys(properties).map((each) => `--${each}`));
}

/** Returns the only values that there are of a member, or no value. */
function valuesOf(schema: ApiSchema, schemas: ApiSchemas): string[] {
  const { $ref, type, enum: values = [], anyOf = [] } = schema;
  const named = schemas[$ref?.split("/").at(-1) ?? ""];
  if (named) return valuesOf(named, schemas);
  if (type === "boolean") return ["true", "false"];
  return [...values.map(String), ...anyOf.flatMap((each) => valuesOf(each, schemas))];
}
