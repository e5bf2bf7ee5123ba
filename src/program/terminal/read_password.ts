import type { Terminal, TerminalPrompt } from "./terminal.ts";
import { UsageError } from "./usage_error.ts";

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
