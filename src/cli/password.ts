import { pbkdf2Passwords } from "../config/passwords.ts";
import type { Command, World } from "./command.ts";
import { done } from "./command.ts";
import { UsageError } from "./usage_error.ts";

/** Makes a hash that a configuration can hold. */
export const password: Command = {
  name: "password",
  help: "reads a password from standard input, and prints the passwordHash for a configuration",
  options: [],
  async run(_call, world) {
    world.print(await pbkdf2Passwords.hash(await readPassword(world)));
    return done;
  },
};

/** A password comes by standard input: arguments can be seen by every process of the machine. */
export async function readPassword(world: World): Promise<string> {
  const password = (await world.input()).replace(/\r?\n$/, "");
  if (password) return password;
  throw new UsageError("Standard input holds no password.");
}
