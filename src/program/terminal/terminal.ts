import { UsageError } from "./exit_code.ts";

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The program's connections to the outside. */
export interface Terminal {
  environment: Environment;
  /** Whether standard output is a terminal, and no file or pipe. */
  isInteractive: boolean;
  print(text: string): void;
  /** Prints text with colors. Its parts from outside are escaped already. */
  printColored(text: string): void;
  printError(text: string): void;
  /** Resolves when the output is written, or its reader is too slow. */
  flush(): Promise<void>;
  log(line: string): void;
  /** Writes JSON from now on, like the log: the error that ends the program, and dropped lines. */
  useJson(): void;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  inputLines(): AsyncIterable<string>;
  /** Asks the person at the terminal. Undefined if standard input is a file or a pipe. */
  prompt?: TerminalPrompt | undefined;
  /**
   * Registers what to do before the process ends on a signal, and with which exit code: 0 unless
   * `stop` returns another one. Returns a function that ends it as the signal would.
   */
  onStop(stop: () => Promise<number | void>): () => void;
}

/** Asks the person at a terminal. The questions are not part of the output. */
export interface TerminalPrompt {
  ask(question: string): Promise<string>;
  /** Reads a line without showing it. */
  askSecret(question: string): Promise<string>;
}

/**
 * Reads a password: on a terminal twice and unseen, else from standard input. Every process on the
 * machine could see it in the arguments.
 */
export async function readPassword(terminal: Terminal): Promise<string> {
  const { prompt, readInput, printError } = terminal;
  const password = prompt ? await askPassword(prompt) : (await readInput()).replace(/\r?\n$/, "");
  if (!password) {
    throw new UsageError(prompt ? "The password is empty." : "Standard input holds no password.");
  }
  const { minPasswordLength } = await import("../../server/config/passwords.ts");
  // An operator may have a reason, such as a user who moves here with an old password.
  if ([...password].length < minPasswordLength) {
    printError(`The password is shorter than ${minPasswordLength} characters.`);
  }
  return password;
}

async function askPassword({ askSecret }: TerminalPrompt): Promise<string> {
  const password = await askSecret("Password: ");
  if (await askSecret("The same again: ") === password) return password;
  throw new UsageError("The two passwords differ.");
}
