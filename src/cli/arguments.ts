import type { Environment } from "./environment.ts";
import type { Command, Option, OptionName } from "./options.ts";
import { options } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** What the command line and the environment say together. */
export interface Arguments {
  command: Command | "password" | "help" | "version";
  /** The values of each option, in the order in which they were said. */
  values: ReadonlyMap<OptionName, readonly string[]>;
}

/** Reads the command line; the environment fills in what it leaves open. */
export function parseArguments(args: readonly string[], environment: Environment): Arguments {
  if (args.includes("--help") || args.includes("-h") || args[0] === "help") return { command: "help", values: new Map() };
  if (args.includes("--version") || args[0] === "version") return { command: "version", values: new Map() };
  if (args[0] === "password") return { command: "password", values: new Map() };
  // Whoever double-clicks on the binary says nothing at all.
  const [command, ...rest] = args[0]?.startsWith("-") ?? true ? ["lab", ...args] : args;
  if (command !== "lab" && command !== "serve") {
    throw new UsageError(`There is no command '${command}'; there are: lab, serve, password. See --help.`);
  }
  const known = options.filter((option) => option.commands.includes(command));
  const said = readOptions(rest, known, command);
  for (const option of known) {
    const inherited = said.has(option.name) ? [] : fromEnvironment(option, environment);
    if (inherited.length > 0) said.set(option.name, inherited);
  }
  return { command, values: said };
}

function readOptions(args: readonly string[], known: readonly Option[], command: Command): Map<OptionName, string[]> {
  const said = new Map<OptionName, string[]>();
  const waiting = [...args];
  while (waiting.length > 0) {
    const [name, inline] = splitArgument(waiting.shift()!);
    const option = known.find((option) => `--${option.name}` === name);
    if (!option) {
      throw new UsageError(`hallpass ${command} has no option '${name}'; it has: ${known.map(({ name }) => `--${name}`).join(", ")}.`);
    }
    const value = option.value === undefined ? readSwitch(option, inline) : inline ?? readValue(option, waiting);
    check(option, value, `--${option.name}`);
    said.set(option.name, [...said.get(option.name) ?? [], value]);
  }
  return said;
}

function splitArgument(argument: string): [name: string, inline?: string] {
  const equals = argument.indexOf("=");
  return argument.startsWith("--") && equals > 0 ? [argument.slice(0, equals), argument.slice(equals + 1)] : [argument];
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
  const name = option.name === "port" && !environment.HALLPASS_PORT ? "PORT" : variableOf(option);
  const text = environment[name];
  if (!text || (option.value === undefined && off.includes(text.toLowerCase()))) return [];
  const values = option.repeatable ? text.split(/\s+/).filter(Boolean) : [text];
  for (const value of values) check(option, value, name);
  return values;
}

/** The environment variable that says the same as an option. */
export function variableOf({ name }: Pick<Option, "name">): string {
  return `HALLPASS_${name.toUpperCase().replaceAll("-", "_")}`;
}

function check(option: Option, value: string, name: string): void {
  const problem = value === "" ? "needs a value" : option.problem?.(value);
  if (problem) throw new UsageError(`${name} ${problem}: ${value}`);
}
