import { performOperation } from "../../control/control.ts";
import { readInput } from "../../control/operation_input.ts";
import type { Operation, OperationCall } from "../../core/operation.ts";
import { drillApiTool } from "../api_drill/agents.ts";
import { connectTool } from "../connect/agents.ts";
import { drillAppTool } from "../drill/agents.ts";
import { reportTool } from "../report/agents.ts";
import { type AgentResult, type AgentTool, entryOf } from "./agent_tool.ts";
import { flowTools } from "./flow_tools.ts";

/**
 * All that an agent can do with a lab: the operations that say when it should use them, and what
 * has a text to read.
 */
export function agentTools(operations: OperationCall["operations"]): AgentTool[] {
  return [
    connectTool,
    ...operations.filter(({ agents }) => agents !== undefined).map(toolOf),
    ...flowTools,
    reportTool,
    drillAppTool,
    drillApiTool,
  ];
}

function toolOf(operation: Operation<never>): AgentTool {
  const { name, summary, agents, method, onlyAdds = false } = operation;
  return {
    name: name.replaceAll("-", "_"),
    description: `${summary} ${agents}`,
    operation,
    isReadOnly: method === "GET",
    onlyAdds,
    keepsLongValues: true,
    async run(lab, args, { call }) {
      const input = readInput(operation, args);
      // Every lab has its features.
      return toResult(
        lab.issuer,
        await performOperation(lab as never, operation, { ...call, ...input }),
      );
    },
  };
}

/** Returns what any operation returned as text. A page has whole entries of a list. */
function toResult(issuer: string, result: unknown): AgentResult {
  if (result === undefined) return { rows: [`Done, at ${issuer}.`], value: {} };
  if (!Array.isArray(result)) {
    return { rows: [JSON.stringify(result, undefined, 1)], value: Object(result) };
  }
  const rows = result.map((entry) => entryOf(entry, (shown) => JSON.stringify(shown)));
  return { rows: rows.length > 0 ? rows : ["There is none."], value: {}, list: "entries" };
}
