import type { Command } from "../command_line/command.ts";
import type { Option } from "../command_line/option.ts";
import { json, serverOptions } from "../command_line/options.ts";

const strict: Option = {
  name: "strict",
  help: "fail if there is a warning or a leniency, with exit code 1: for a pipeline",
};

/** Reports every problem that `serve` would find, and serves nothing. */
export const check: Command = {
  name: "check",
  help: "checks a configuration: prints every problem and warning, or what the server would offer",
  examples: [
    "hallpass check --config hallpass.json",
  ],
  options: [...serverOptions, strict, json],
  async run(invocation, terminal) {
    const { runCheckCommand } = await import("../operate/run_check_command.ts");
    return await runCheckCommand(invocation, terminal);
  },
};
