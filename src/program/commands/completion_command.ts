import { type Command, operandOf } from "../command_line/command.ts";
import { completionScripts } from "../command_line/completion_scripts.ts";
import { success } from "../terminal/exit_code.ts";
import { UsageError } from "../terminal/usage_error.ts";

const shells = Object.keys(completionScripts);

/** Prints a script that makes a shell complete commands, options and values. */
export const completion: Command = {
  name: "completion",
  operandName: "SHELL",
  help: `prints a script that completes commands and options, for ${shells.join(", ")}`,
  options: [],
  examples: [
    'eval "$(hallpass completion bash)"',
    'eval "$(hallpass completion zsh)"',
    "hallpass completion fish | source",
  ],
  async run(invocation, terminal) {
    const shell = operandOf(invocation, shells.join("|"));
    const script = completionScripts[shell];
    if (script === undefined) {
      throw new UsageError(`There is no completion for '${shell}', only for ${shells.join(", ")}.`);
    }
    terminal.print(script);
    return success;
  },
};
