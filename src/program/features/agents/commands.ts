import { childLabOptions } from "../../command_line/child_lab_options.ts";
import type { Command } from "../../command_line/command.ts";
import { labUrl } from "../../command_line/options.ts";
import { drillOriginOption } from "../drill/command_line.ts";

/** The lab for agents, which start it as their tool. */
export const mcp: Command = {
  name: "mcp",
  opensLab: true,
  help: "offers a lab as tools of a coding agent, which speaks the Model Context Protocol on " +
    "standard input and output",
  details:
    "It starts a lab, which keeps everything in memory and ends with the agent, or uses the one " +
    "that --lab names. Agents that speak HTTP need no command: a lab that listens has the same " +
    "tools at /lab/mcp.",
  examples: [
    "hallpass mcp --port 9000",
    "hallpass mcp --lab http://localhost:9000",
  ],
  options: [
    { ...labUrl, help: "the address of a running lab to use, in place of a new one" },
    ...childLabOptions,
    drillOriginOption,
  ],
  run: async (...call) => (await import("./run_mcp_command.ts")).runMcpCommand(...call),
};
