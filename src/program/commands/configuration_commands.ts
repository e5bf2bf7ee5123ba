import type { Command, Option } from "../command_line/command.ts";
import { printableJson } from "../command_line/listing.ts";
import { json, serverOptions } from "../command_line/options.ts";
import { success } from "../terminal/exit_code.ts";
import { readPassword } from "../terminal/terminal.ts";

const strict: Option = {
  name: "strict",
  help: "fail if there is a warning or a leniency, with exit code 1: for a pipeline",
};

/** Reports every problem that `serve` would find, and serves nothing. */
export const check: Command = {
  name: "check",
  help: "checks a configuration: prints every problem and warning, or what the server would offer",
  examples: ["hallpass check --config hallpass.json"],
  options: [...serverOptions, strict, json],
  run: async (...call) =>
    (await import("../operate/run_check_command.ts")).runCheckCommand(...call),
};

/** Prints the JSON Schema of a configuration file. */
export const schemaCommand: Command = {
  name: "schema",
  help: "prints the JSON Schema of a configuration file, for an editor",
  options: [],
  async run(_invocation, terminal) {
    const { default: schema } = await import("../../../static/config.schema.json", {
      with: { type: "json" },
    });
    terminal.print(JSON.stringify(schema, null, 2));
    return success;
  },
};

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
