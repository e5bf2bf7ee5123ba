import type { Command } from "../command_line/command.ts";
import { labOptions } from "../command_line/lab_options.ts";
import { serverOptions } from "../command_line/options.ts";
import { anyClientExample } from "../features/any_client/command_line.ts";
import { enterpriseExample } from "../features/enterprise/command_line.ts";
import { watchOption } from "../features/watch/command_line.ts";

/** A server for trying and testing clients. */
export const lab: Command = {
  name: "lab",
  help: "starts a lab for testing clients: demo clients and users, in memory, on this machine only",
  examples: [
    "hallpass lab",
    "hallpass lab --port 0 --sign-in alice",
    enterpriseExample,
    anyClientExample,
  ],
  options: [...serverOptions, ...labOptions, watchOption],
  async run(invocation, terminal) {
    const { runLab } = await import("../lab/run_lab.ts");
    await runLab(invocation, terminal);
    return undefined;
  },
};
