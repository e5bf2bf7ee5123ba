import type { Command, Option } from "./options.ts";
import { options } from "./options.ts";

/** Something about the call that cannot be. The program ends with this one line, and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What the command line and the environment say together. */
export interface Arguments {
  command: Command | "help" | "version";
  /** The last value of each option. */
  values: Record<string, string | undefined>;
  redirectUris: string[];
}

type Environment = Record<string, string | undefined>;

/** Reads the command line; the environment fills in what it leaves open. */
export function parseArguments(args: readonly string[], environment: Environment): Arguments {
  if (args.includes("--help") || args.includes("-h") || args[0] === "help") return plain("help");
  if (args.includes("--version") || args[0] === "version") return plain("version");
  // Whoever double-clicks on the binary says nothing at all.
  const [command = "lab", ...rest] = args;
  if (command !== "lab" && command !== "serve") throw new UsageError(`There is no command '${command}'. Try: hallpass --help`);
  const known = options.filter((option) => option.commands.includes(command));
  const said = readOptions(rest, known, command);
  const values = Object.fromEntries(
    known.map((option) => [option.name, said.get(option.name)?.at(-1) ?? fromEnvironment(option, environment)]),
  );
  return { command, values, redirectUris: said.get("redirect-uri") ?? environment.HALLPASS_REDIRECT_URI?.split(" ") ?? [] };
}

function plain(command: "help" | "version"): Arguments {
  return { command, values: {}, redirectUris: [] };
}

function readOptions(args: readonly string[], known: readonly Option[], command: Command): Map<string, string[]> {
  const said = new Map<string, string[]>();
  const waiting = [...args];
  while (waiting.length > 0) {
    const [name, inline] = splitArgument(waiting.shift()!);
    const option = known.find((option) => `--${option.name}` === name);
    if (!option) throw new UsageError(`hallpass ${command} has no option '${name}'. Try: hallpass --help`);
    const value = option.value === undefined ? switchValue(option, inline) : inline ?? waiting.shift();
    if (value === undefined || value === "") throw new UsageError(`The option --${option.name} needs a value: ${option.value}`);
    check(option, value, `--${option.name}`);
    said.set(option.name, [...said.get(option.name) ?? [], value]);
  }
  return said;
}

function splitArgument(argument: string): [name: string, inline?: string] {
  const equals = argument.indexOf("=");
  return argument.startsWith("--") && equals > 0 ? [argument.slice(0, equals), argument.slice(equals + 1)] : [argument];
}

function switchValue(option: Option, inline: string | undefined): string {
  if (inline !== undefined) throw new UsageError(`The option --${option.name} takes no value.`);
  return "yes";
}

function fromEnvironment(option: Option, environment: Environment): string | undefined {
  const name = variableOf(option);
  const value = environment[name] || (option.name === "port" ? environment.PORT : undefined) || undefined;
  if (value !== undefined && !option.repeatable) check(option, value, name);
  return value;
}

/** The environment variable that says the same as an option. */
export function variableOf(option: Option): string {
  return `HALLPASS_${option.name.toUpperCase().replaceAll("-", "_")}`;
}

function check(option: Option, value: string, name: string): void {
  const problem = option.problem?.(value);
  if (problem) throw new UsageError(`${name} ${problem}: ${value}`);
}
