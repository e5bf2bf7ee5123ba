import type { Command } from "../../command_line/command.ts";
import { runningLabOptions } from "../../lab_client/running_lab.ts";

/** Shows what reaches a running lab, in another terminal than its own. */
export const flows: Command = {
  name: "flows",
  help: "prints a line for each request that reached a running lab, and why it was refused",
  details:
    "The lines are those of the lab's own log. With --follow, they go on as requests come, " +
    "until Ctrl-C; while the lab does not respond, its address is tried again.",
  examples: ["hallpass flows --refused", "hallpass flows --lab https://lab.example --follow"],
  options: [
    { name: "follow", help: "go on with the requests to come" },
    { name: "refused", help: "print only the requests that the server refused" },
    ...runningLabOptions,
  ],
  run: async (...call) => (await import("./run_flows_command.ts")).runFlowsCommand(...call),
};
