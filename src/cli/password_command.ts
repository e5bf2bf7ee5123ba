import { pbkdf2Passwords } from "../config/passwords.ts";
import { type Command, success, type Terminal, UsageError } from "./command.ts";

/** Hashes a password for a configuration. */
export const password: Command = {
  name: "password",
  help: "reads a password from standard input and prints its passwordHash for a configuration",
  options: [],
  async run(_invocation, terminal) {
    terminal.print(await pbkdf2Passwords.hash(await readPassword(terminal)));
    return success;
  },
};

/**
 * Reads a password from standard input. Every process on the machine could see it in the arguments.
 */
export async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, "");
  if (password) return password;
  throw new UsageError("Standard input holds no password.");
}
