import type { Command } from "../command_line/command.ts";
import { printableJson } from "../command_line/listing.ts";
import { json } from "../command_line/options.ts";
import { success } from "../terminal/exit_code.ts";
import { readPassword } from "../terminal/read_password.ts";

/** Hashes a password for a configuration. */
export const password: Command = {
  name: "password",
  help: "hashes a password for passwordHash; prompts for it, or reads it from standard input",
  examples: [
    "hallpass password",
    "hallpass password < password.txt",
  ],
  asksPassword: true,
  options: [json],
  async run(invocation, terminal) {
    const { pbkdf2Passwords } = await import("../../server/config/passwords.ts");
    const passwordHash = await pbkdf2Passwords.hash(await readPassword(terminal));
    const isJson = invocation.values.has("json");
    terminal.print(isJson ? printableJson({ passwordHash }) : passwordHash);
    return success;
  },
};
