import type { OperationCall } from "../../core/operation.ts";
import { drillApiTool } from "../api_drill/agents.ts";
import { connectTool } from "../connect/agents.ts";
import { drillAppTool } from "../drill/agents.ts";
import { reportTool } from "../report/agents.ts";
import type { AgentTool } from "./agent_tool.ts";
import { flowTools } from "./flow_tools.ts";
import { operationTools } from "./operation_tools.ts";

/** All that an agent can do with a lab: operations, and what has a text to read. */
export function agentTools(operations: OperationCall["operations"]): AgentTool[] {
  return [
    connectTool,
    ...operationTools(operations),
    ...flowTools,
    reportTool,
    drillAppTool,
    drillApiTool,
  ];
}
