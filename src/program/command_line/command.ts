import type { Option } from "./options.ts";

/** The exit code of a command that succeeded. */
export const success = 0;
/** The exit code of a command that failed. */
export const failure = 1;
/** The exit code if the command line, the environment or the configuration is invalid. */
export const invalid = 2;
/** The exit code if the store is unreachable, starting or full. The command may succeed later. */
export const unavailable = 3;

/** A command of the program, such as `hallpass client add ID`. */
export interface Command {
  /** As typed: "serve", "client add". */
  name: string;
  /** What the help calls the operand: "ID". */
  operandName?: string;
  help: string;
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
  /** The values of each option, in the order given. */
  values: OptionValues;
}

/** The values of options by the option's name. */
export type OptionValues = ReadonlyMap<string, readonly string[]>;

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The program's connections to the outside. */
export interface Terminal {
  environment: Environment;
  /** Whether standard output is a terminal, and no file or pipe. */
  isInteractive: boolean;
  print(text: string): void;
  printError(text: string): void;
  /** Writes a line of the log. */
  log(line: string): void;
  /** Sets how the log reports the lines that it dropped because its reader was too slow. */
  describeDropped(describe: (lines: number) => string): void;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Asks the person at the terminal. Undefined if standard input is a file or a pipe. */
  prompt?: TerminalPrompt | undefined;
  /**
   * Registers what to do before the process ends on a signal. Returns a function that ends it as
   * the signal would.
   */
  onStop(stop: () => Promise<void>): () => void;
}

/** Asks the person at a terminal. The questions are not part of the output. */
export interface TerminalPrompt {
  ask(question: string): Promise<string>;
  /** Reads a line without showing it. */
  askSecret(question: string): Promise<string>;
}

/**
 * An invalid command line, environment or file. The program prints the message and exits with code
 * 2.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
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
