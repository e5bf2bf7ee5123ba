import schema from "../../static/config.schema.json" with { type: "json" };
import { type Command, success } from "./command.ts";

/** Prints the JSON Schema of a configuration file. */
export const schemaCommand: Command = {
  name: "schema",
  help: "prints the JSON Schema of a configuration file, for an editor",
  options: [],
  run(_invocation, terminal) {
    terminal.print(JSON.stringify(schema, null, 2));
    return Promise.resolve(success);
  },
};
