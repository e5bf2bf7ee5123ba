import type { Environment } from "./environment.ts";
import type { Option } from "./options.ts";

/** Something that the program can be told to do. */
export interface Command {
  /** As it is typed: "serve", "client add". */
  name: string;
  /** What it is done to, as the help calls it: "ID". */
  takes?: string;
  help: string;
  options: readonly Option[];
  /** Does it, and gives the exit code; a server has none before it is told to stop. */
  run(invocation: Invocation, terminal: Terminal): Promise<number | undefined>;
}

/** What the command line and the environment say together. */
export interface Invocation {
  command: string;
  operand?: string;
  /** The values of each option, in the order in which they were said. */
  values: ReadonlyMap<string, readonly string[]>;
}

/** What surrounds the program. */
export interface Terminal {
  version: string;
  environment: Environment;
  print(text: string): void;
  /** Writes a line of the log. */
  log(line: string): void;
  complain(text: string): void;
  /** Standard input, to its end. */
  input(): Promise<string>;
  /** What to do before the process ends, once it is told to. */
  onStop(stop: () => Promise<void>): void;
}

/** Of an option that was said more than once, the last value counts. */
export function valueOf({ values }: Invocation, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

export const done = 0;
export const failed = 1;
