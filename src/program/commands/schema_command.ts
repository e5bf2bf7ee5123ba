import type { Command } from "../command_line/command.ts";
import { success } from "../terminal/exit_code.ts";

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
