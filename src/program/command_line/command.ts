import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import type { Option, OptionValues } from "./option.ts";

/** A command of the program, such as `hallpass client add ID`. */
export interface Command {
  /** As typed: "serve", "client add". */
  name: string;
  /** What the help calls the operand: "ID". */
  operandName?: string;
  /** Whether it runs a command of the user, which follows `--`. */
  takesCommand?: boolean;
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

/** Returns the value of an option; the last one wins. */
export function valueOf({ values }: Invocation, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

/** Returns the operand of a command that cannot do without. */
export function operandOf({ command, operand }: Invocation, operandName: string): string {
  if (operand) return operand;
  throw new UsageError(`Usage: hallpass ${command} ${operandName}`);
}
