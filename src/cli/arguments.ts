import type { Command, Invocation } from "./command.ts";
import type { Environment } from "./environment.ts";
import { type Option, port, variableOf } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** What the program was told: a command to carry out, or something to say of itself. */
export type ParsedArguments =
  | { kind: "version" }
  | { kind: "help"; commands: readonly Command[] }
  | { kind: "run"; command: Command; call: Invocation };

/** Reads the command line; the environment fills in what it leaves open. */
export function parseArguments(
  args: readonly string[],
  environment: Environment,
  commands: readonly Command[],
): ParsedArguments {
  if (args.includes("--version") || args[0] === "version") return { kind: "version" };
  const words = args[0] === "help" ? args.slice(1) : args;
  if (args[0] === "help" || args.includes("--help") || args.includes("-h")) {
    return { kind: "help", commands: similarCommands(words, commands) };
  }
  // Whoever double-clicks on the binary says nothing at all.
  const given = args[0]?.startsWith("-") ?? true ? ["lab", ...args] : args;
  const command = findCommand(given, commands) ?? unknownCommand(given, commands);
  const said = readOptions(given.slice(command.name.split(" ").length), command);
  for (const option of command.options.filter(({ inherited }) => inherited)) {
    const inherited = said.values.has(option.name) ? [] : fromEnvironment(option, environment);
    if (inherited.length > 0) said.values.set(option.name, inherited);
  }
  return { kind: "run", command, call: { command: command.name, ...said } };
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
}

/** The command that is named, or those that begin with the word, or all. */
function similarCommands(
  words: readonly string[],
  commands: readonly Command[],
): readonly Command[] {
  const command = findCommand(words, commands);
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  return command ? [command] : group.length > 0 ? group : commands;
}

function unknownCommand([first]: readonly string[], commands: readonly Command[]): never {
  const verbs = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (verbs.length > 0) {
    throw new UsageError(
      `There is more to say after '${first}'; one of: ${verbs.join(", ")}. See --help.`,
    );
  }
  const firstWords = new Set(commands.map(({ name }) => name.split(" ")[0]));
  throw new UsageError(
    `There is no command '${first}'; there are: ${[...firstWords].join(", ")}. See --help.`,
  );
}

function readOptions(
  args: readonly string[],
  { name: command, takes, options }: Command,
): { operand?: string; values: Map<string, string[]> } {
  const values = new Map<string, string[]>();
  const waiting = [...args];
  let operand: string | undefined;
  while (waiting.length > 0) {
    const [name, inline] = splitArgument(waiting.shift()!);
    const option = options.find((option) => `--${option.name}` === name);
    if (!option && takes && operand === undefined && !name.startsWith("--")) operand = name;
    else if (!option) throw unknownOption(command, name, options);
    else {values.set(option.name, [
        ...values.get(option.name) ?? [],
        readOption(option, inline, waiting),
      ]);}
  }
  return { operand, values };
}

function unknownOption(command: string, name: string, options: readonly Option[]): UsageError {
  return new UsageError(
    `hallpass ${command} has no option '${name}'; it has: ${
      options.map(({ name }) => `--${name}`).join(", ")
    }.`,
  );
}

function readOption(option: Option, inline: string | undefined, waiting: string[]): string {
  const value = option.value === undefined
    ? readSwitch(option, inline)
    : inline ?? readValue(option, waiting);
  check(option, value, `--${option.name}`);
  return value;
}

function splitArgument(argument: string): [name: string, inline?: string] {
  const equals = argument.indexOf("=");
  return argument.startsWith("--") && equals > 0
    ? [argument.slice(0, equals), argument.slice(equals + 1)]
    : [argument];
}

function readValue(option: Option, waiting: string[]): string {
  const value = waiting[0]?.startsWith("--") ? undefined : waiting.shift();
  if (value) return value;
  throw new UsageError(`The option --${option.name} needs a value: ${option.value}`);
}

function readSwitch(option: Option, inline: string | undefined): string {
  if (inline !== undefined) throw new UsageError(`The option --${option.name} takes no value.`);
  return "yes";
}

/** A switch is off when its variable says so. */
const off = ["0", "false", "no", "off"];

function fromEnvironment(option: Option, environment: Environment): string[] {
  const name = option === port && !environment.HALLPASS_PORT ? "PORT" : variableOf(option);
  const text = environment[name];
  if (!text || (option.value === undefined && off.includes(text.toLowerCase()))) return [];
  const values = option.repeatable ? text.split(/\s+/).filter(Boolean) : [text];
  for (const value of values) check(option, value, name);
  return values;
}

function check(option: Option, value: string, name: string): void {
  const problem = value === "" ? "needs a value" : option.problem?.(value);
  if (problem) throw new UsageError(`${name} ${problem}: ${value}`);
}
