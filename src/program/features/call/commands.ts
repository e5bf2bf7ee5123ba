import type { Command } from "../../command_line/command.ts";
import { callOptions } from "./call_options.ts";

/** Calls an operation of a running lab by its name. */
export const call: Command = {
  name: "call",
  operandName: "NAME",
  takesMembers: true,
  help: "calls an operation of a running lab; without a name, lists them",
  details: "Each member of the operation is an option; hallpass call NAME --help lists them. A " +
    "list is given by repeating its option, an object as JSON.",
  examples: [
    "hallpass call mint-token --sub alice --expiresIn -1h",
    "hallpass call clock --advance 1h",
    "hallpass call list-sessions --user alice --json",
  ],
  options: callOptions,
  run: async (...call) => (await import("./run_call_command.ts")).runCallCommand(...call),
};
