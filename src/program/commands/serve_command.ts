import type { Command } from "../command_line/command.ts";
import { serverOptions } from "../command_line/options.ts";
import { watchOption } from "../features/watch/command_line.ts";

export const serve: Command = {
  name: "serve",
  help: "starts a strict server for real use, with only what --config FILE names",
  examples: [
    "hallpass serve --config hallpass.json",
    "hallpass serve --config hallpass.json --store sqlite:hallpass.db",
  ],
  options: [...serverOptions, watchOption],
  async run(invocation, terminal) {
    const { runServeCommand } = await import("../operate/run_serve_command.ts");
    await runServeCommand(invocation, terminal);
    return undefined;
  },
};
