import { minPasswordLength, pbkdf2Passwords } from "../../server/config/passwords.ts";
import {
  type Command,
  success,
  type Terminal,
  type TerminalPrompt,
  UsageError,
} from "../command_line/command.ts";
import { printableJson } from "../command_line/listing.ts";
import { json } from "../command_line/options.ts";

/** Hashes a password for a configuration. */
export const password: Command = {
  name: "password",
  help: "prints the passwordHash of a password, which it asks for or reads from standard input",
  examples: [
    "hallpass password",
    "hallpass password < password.txt",
  ],
  asksPassword: true,
  options: [json],
  async run(invocation, terminal) {
    const passwordHash = await pbkdf2Passwords.hash(await readPassword(terminal));
    const isJson = invocation.values.has("json");
    terminal.print(isJson ? printableJson({ passwordHash }) : passwordHash);
    return success;
  },
};

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
