import { readDatabaseUrl } from "../../server/store/database_url.ts";
import { withScheme } from "../../server/util/addresses/uri.ts";
import { UsageError } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** An option of the command line. */
export interface Option {
  name: string;
  /** What the help calls the value. An option without one is a switch. */
  valueName?: string | undefined;
  /** The value if none follows, for a value that may be left out. */
  ifAlone?: string;
  /** Where the help lists it, if several commands have it. */
  group?: typeof groupTitles[number];
  /** The setting of a configuration that it sets, by name. */
  sets?: string;
  /** Returns the value of that setting, unless it is the text itself. */
  convert?: (text: string) => unknown;
  /** Whether it may be given more than once. In the environment, spaces separate the values. */
  repeatable?: boolean;
  /** Whether the environment may hold it as well, as `HALLPASS_…`. */
  inEnvironment?: boolean;
  help: string;
  /** Whether messages must not repeat the value. */
  mayHoldPassword?: boolean;
  /** Returns why a value is invalid, or undefined. */
  problem?: (value: string) => string | undefined;
}

/** The values of options by the option's name, in the order given. */
export type OptionValues = ReadonlyMap<string, readonly string[]>;

/** A command of the program, such as `hallpass client add ID`. */
export interface Command {
  /** As typed: "serve", "client add". */
  name: string;
  /** What the help calls the operand: "ID". */
  operandName?: string;
  /** Whether it runs a command of the user, which follows `--`. */
  takesCommand?: boolean;
  /** Whether it takes any option, also `--help`, because what it calls knows them. */
  takesMembers?: boolean;
  /** Whether it opens a lab, and so has the options of one. */
  opensLab?: boolean;
  help: string;
  /** What only the help of this command adds. */
  details?: string;
  /** Command lines that a reader of the help can copy. */
  examples?: readonly string[];
  /**
   * Whether it asks for a password. One among the arguments is refused: others can see it there.
   */
  asksPassword?: boolean;
  options: readonly Option[];
  /** Runs the command and returns the exit code. A server has none until it is stopped. */
  run(invocation: Invocation, terminal: Terminal): Promise<number | undefined>;
}

/** Commands that belong together in the help. */
export interface CommandGroup {
  title: string;
  commands: readonly Command[];
}

/** What the command line and the environment ask for. */
export interface Invocation {
  command: string;
  operand?: string | undefined;
  /** The words after `--`: a command of the user, with its arguments. */
  childCommand?: readonly string[] | undefined;
  /** The values of each option, in the order given. */
  values: OptionValues;
}

/** The titles of options that several commands have, in the order of the help. */
export const groupTitles = [
  "Addresses",
  "Lab",
  "Settings and data",
  "Log and metrics",
] as const;

/** What the options of a lab have in common. */
export const inLab = { group: "Lab", inEnvironment: true } as const;

const maxPort = 65535;

/** How to name a store on the command line. */
export const storeForms = "memory, sqlite:PATH, postgres://HOST/DATABASE or redis://HOST:PORT";

/** Returns the value of an option; the last one wins. */
export function valueOf({ values }: Invocation, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

/** Returns the operand of a command that cannot do without. */
export function operandOf({ command, operand }: Invocation, operandName: string): string {
  if (operand) return operand;
  throw new UsageError(`Usage: hallpass ${command} ${operandName}`);
}

/** Returns the settings that the values of options set, by name. */
export function settingsOf(
  options: readonly Option[],
  values: OptionValues,
): Record<string, unknown> {
  return Object.fromEntries(
    options.flatMap((option) => {
      const texts = values.get(option.name);
      return option.sets === undefined || texts === undefined
        ? []
        : [[option.sets, settingValue(option, texts)]];
    }),
  );
}

/** The last value wins, unless all count. */
function settingValue(
  { valueName, repeatable, convert = (text) => text }: Option,
  texts: readonly string[],
): unknown {
  if (valueName === undefined) return true;
  const values = texts.map(convert);
  return repeatable ? values : values.at(-1);
}

export function variableOf(name: string): string {
  return `HALLPASS_${name.toUpperCase().replaceAll("-", "_")}`;
}

export function portProblem(value: string): string | undefined {
  const isPort = /^\d{1,5}$/.test(value) && Number(value) <= maxPort;
  return isPort ? undefined : `must be a port between 0 and ${maxPort}`;
}

/** Returns why a value is not the URL of a server, or undefined. */
export function urlProblem(value: string): string | undefined {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return undefined;
  const meant = withScheme(value);
  const advice = meant === undefined ? "" : `, such as ${meant}`;
  return `must be an http or https URL${advice}`;
}

/** Creates the check of an option that chooses among names. */
export function oneOf(allowed: readonly string[]): (value: string) => string | undefined {
  const problem = `must be one of ${allowed.join(", ")}`;
  return (value) => allowed.includes(value) ? undefined : problem;
}

/** Returns why the text that names a store is invalid, or undefined. */
export function storeProblem(store: string): string | undefined {
  const url = readDatabaseUrl(store);
  if (url) return url.problem;
  const isValid = store === "memory" || sqlitePath(store);
  return isValid ? undefined : `must be ${storeForms}`;
}

export function sqlitePath(store: string): string | undefined {
  const scheme = "sqlite:";
  return store.startsWith(scheme) ? store.slice(scheme.length) || undefined : undefined;
}
