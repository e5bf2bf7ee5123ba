import { pbkdf2Passwords } from "../config/passwords.ts";
import { type Command, done, type Terminal } from "./command.ts";
import { UsageError } from "./usage_error.ts";

/** Makes a hash that a configuration can hold. */
export const password: Command = {
  name: "password",
  help: "reads a password from standard input, and prints the passwordHash for a configuration",
  options: [],
  async run(_call, terminal) {
    terminal.print(await pbkdf2Passwords.hash(await readPassword(terminal)));
    return done;
  },
};

/** A password comes by standard input: arguments can be seen by every process of the machine. */
export async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.input()).replace(/\r?\n$/, "");
  if (password) return password;
  throw new UsageError("Standard input holds no password.");
}
