import { nearestName } from "../../server/util/text/nearest_name.ts";
import { UsageError } from "../terminal/exit_code.ts";
import type { Environment } from "../terminal/terminal.ts";
import { type Command, type Invocation, type Option, variableOf } from "./command.ts";
import { port, serverPort } from "./options.ts";

/** A parsed command line. */
export type ParsedArguments =
  | { kind: "version" }
  | { kind: "help"; commands: readonly Command[] }
  | { kind: "run"; command: Command; invocation: Invocation };

/** More options than a message names are in the help. */
const maxListed = 15;

/** Values of an environment variable that leave a switch off. */
const off = ["0", "false", "no", "off"];

/** Parses the command line. The environment supplies options that it leaves out. */
export function parseArguments(
  args: readonly string[],
  environment: Environment,
  commands: readonly Command[],
): ParsedArguments {
  const { own, childCommand } = splitAtCommand(args, commands);
  if (own.includes("--version") || own[0] === "version") return { kind: "version" };
  if (own[0] === "help") {
    return { kind: "help", commands: commandsToExplain(own.slice(1), commands) };
  }
  const named = findCommand(own, commands);
  const explainsItself = named?.takesMembers && own[1]?.startsWith("-") === false;
  if (!explainsItself && (own.includes("--help") || own.includes("-h"))) {
    return { kind: "help", commands: commandsToExplain(own, commands) };
  }
  const words = withCommand(own);
  const command = findCommand(words, commands);
  if (!command) throw unknownCommand(words, commands);
  const { operand, values } = parseOptions(
    words.slice(command.name.split(" ").length),
    command,
  );
  for (const option of command.options.filter(({ inEnvironment }) => inEnvironment)) {
    const inherited = values.has(option.name) ? [] : readVariable(option, environment);
    if (inherited.length > 0) values.set(option.name, inherited);
  }
  const invocation = {
    command: command.name,
    operand,
    values,
    ...childCommand && { childCommand },
  };
  return { kind: "run", command, invocation };
}

/** Splits off the command of the user, so that its options are not read as ours. */
function splitAtCommand(
  args: readonly string[],
  commands: readonly Command[],
): { own: readonly string[]; childCommand?: readonly string[] } {
  const end = findCommand(args, commands)?.takesCommand ? args.indexOf("--") : -1;
  return end < 0 ? { own: args } : { own: args.slice(0, end), childCommand: args.slice(end + 1) };
}

/** Adds the default command: a double click on the binary passes no arguments at all. */
function withCommand(args: readonly string[]): readonly string[] {
  const [first = "--"] = args;
  return first.startsWith("-") ? ["lab", ...args] : args;
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
}

/** Returns the named command, or all that begin with the first word, or all commands. */
function commandsToExplain(
  words: readonly string[],
  commands: readonly Command[],
): readonly Command[] {
  const command = findCommand(words, commands);
  if (command) return [command];
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  return group.length > 0 ? group : commands;
}

function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const [word = "", next] = words;
  const group = commands.map(({ name }) => name).filter((name) => name.startsWith(`${word} `));
  if (group.length === 0) {
    const names = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? name))];
    const all = `The commands are: ${names.join(", ")}. See --help.`;
    return new UsageError(`There is no command '${word}'. ${suggestion(word, names) ?? all}`);
  }
  const needs = `'${word}' needs a subcommand: ${group.join(", ")}. See --help.`;
  if (next === undefined || next.startsWith("-")) return new UsageError(needs);
  // The first word is right, and would make any other one look similar.
  const nearest = nearestName(next, group.map((name) => name.slice(word.length + 1)));
  const help = nearest ? `Did you mean '${word} ${nearest}'?` : needs;
  return new UsageError(`There is no command '${word} ${next}'. ${help}`);
}

function suggestion(typed: string, names: readonly string[]): string | undefined {
  const nearest = nearestName(typed, names);
  return nearest && `Did you mean '${nearest}'?`;
}

/** Suggests the one option that begins as what was typed: `--grant-type` for `--grant`. */
function completion(typed: string, names: readonly string[]): string | undefined {
  const [name, other] = names.filter((each) => typed.length > 3 && each.startsWith(typed));
  return name && !other ? `Did you mean '${name}'?` : undefined;
}

interface ParsedOptions {
  operand: string | undefined;
  values: Map<string, readonly string[]>;
}

function parseOptions(
  args: readonly string[],
  command: Command,
): ParsedOptions {
  const values: ParsedOptions["values"] = new Map();
  const rest = [...args];
  let operand: string | undefined;
  let previous: Option | undefined;
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const { name, inline } = splitArgument(argument);
    const option = command.options.find((option) => `--${option.name}` === name);
    if (option) {
      const value = readOption(option, inline, rest);
      values.set(option.name, [...values.get(option.name) ?? [], value]);
      previous = option;
    } else if (command.operandName && operand === undefined && !argument.startsWith("--")) {
      [operand, previous] = [argument, undefined];
    } else {
      if (!command.takesMembers || !name.startsWith("--")) {
        throw unexpectedArgument(command, name, previous);
      }
      const member = name.slice("--".length);
      const value = inline ?? (rest[0]?.startsWith("--") ? undefined : rest.shift()) ?? "true";
      values.set(member, [...values.get(member) ?? [], value]);
    }
  }
  return { operand, values };
}

function splitArgument(argument: string): { name: string; inline?: string } {
  const equals = argument.indexOf("=");
  if (!argument.startsWith("--") || equals < 0) return { name: argument };
  return { name: argument.slice(0, equals), inline: argument.slice(equals + 1) };
}

/** Explains an argument without repeating one that may be the value of a secret. */
function unexpectedArgument(
  { name: command, operandName, options, asksPassword, takesCommand }: Command,
  typed: string,
  previous: Option | undefined,
): UsageError {
  if (takesCommand && !typed.startsWith("-")) {
    return new UsageError(`Write -- before your command: hallpass ${command} -- ${typed} …`);
  }
  if (asksPassword && !typed.startsWith("-")) {
    return new UsageError(
      `hallpass ${command} takes no password in its arguments: it is in your shell's history ` +
        "now, and every process could see it. Type it when you are asked.",
    );
  }
  const names = options.map(({ name }) => `--${name}`);
  const all = listOptions(command, names);
  const known = [...names, "--help", "--version"];
  const near = completion(typed, known) ?? suggestion(typed, known);
  const lower = typed.toLowerCase();
  const glued = options.find(({ valueName, name }) => valueName && lower.startsWith(`--${name}`));
  if (!near && glued) return new UsageError(`--${glued.name} needs a space or = before its value.`);
  const help = near ?? all;
  if (typed.startsWith("-")) {
    const [option] = /^(?:--.*|-.)/.exec(typed) ?? [];
    return new UsageError(`hallpass ${command} has no option '${option}'. ${help}`);
  }
  if (previous && previous.valueName === undefined) return takesNoValue(previous);
  const taken = operandName ? `one ${operandName}` : "no argument";
  return new UsageError(`hallpass ${command} takes ${taken}. ${help}`);
}

function listOptions(command: string, names: readonly string[]): string {
  if (names.length === 0) return "It has no options.";
  return names.length > maxListed
    ? `See hallpass ${command} --help.`
    : `It has: ${names.join(", ")}.`;
}

function takesNoValue({ name }: Option): UsageError {
  return new UsageError(`--${name} takes no value.`);
}

function readOption(option: Option, inline: string | undefined, rest: string[]): string {
  const isSwitch = option.valueName === undefined;
  if (isSwitch && inline !== undefined) throw takesNoValue(option);
  const value = isSwitch ? "yes" : inline ?? readValue(option, rest);
  checkValue(option, value, `--${option.name}`);
  return value;
}

function readValue({ name, valueName, ifAlone }: Option, rest: string[]): string {
  const value = (rest[0]?.startsWith("--") ? undefined : rest.shift()) ?? ifAlone;
  if (value) return value;
  throw new UsageError(`--${name} needs a value: ${valueName}`);
}

function readVariable(option: Option, environment: Environment): string[] {
  const isServerPort = option === port || option === serverPort;
  const isFallback = isServerPort && !environment[variableOf(port.name)];
  const name = isFallback ? "PORT" : variableOf(option.name);
  const text = environment[name];
  if (!text) return [];
  if (option.valueName === undefined) return off.includes(text.toLowerCase()) ? [] : [text];
  const values = option.repeatable ? text.split(/\s+/).filter(Boolean) : [text];
  for (const value of values) checkValue(option, value, name);
  return values;
}

function checkValue(option: Option, value: string, name: string): void {
  const problem = value === "" ? "needs a value" : option.problem?.(value);
  const shown = option.mayHoldPassword ? "" : `: ${value}`;
  if (problem) throw new UsageError(`${name} ${problem}${shown}`);
}
