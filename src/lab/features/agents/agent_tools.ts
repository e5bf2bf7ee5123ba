import { drillApiTool } from "../api_drill/agents.ts";
import { connectTool } from "../connect/agents.ts";
import { drillAppTool } from "../drill/agents.ts";
import { breakTool } from "../faults/agents.ts";
import { reportTool } from "../report/agents.ts";
import type { AgentTool } from "./agent_tool.ts";
import { flowTools } from "./flow_tools.ts";
import { labTools } from "./lab_tools.ts";

/** All that an agent can do with a lab, in the order in which it is likely to be needed. */
export const agentTools: readonly AgentTool[] = [
  connectTool,
  ...labTools,
  ...flowTools,
  reportTool,
  breakTool,
  drillAppTool,
  drillApiTool,
];
