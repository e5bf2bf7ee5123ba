import { performOperation } from "../../control/control.ts";
import { type ApiSchemas, bodySchema } from "../../control/lab_schemas.ts";
import { inputSchema, readInput } from "../../control/operation_input.ts";
import type { Operation, OperationCall } from "../../core/operation.ts";
import { drillApiTool } from "../api_drill/agents.ts";
import { connectTool } from "../connect/agents.ts";
import { drillAppTool } from "../drill/agents.ts";
import { reportTool } from "../report/agents.ts";
import { type AgentResult, type AgentTool, entryOf } from "./agent_tool.ts";
import { flowTools } from "./flow_tools.ts";

const place = "#/components/schemas/";

const noInput = { type: "object", properties: {}, additionalProperties: false };

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

/** Describes a tool, as `tools/list` has it: an agent reads all of it before its first call. */
export function describeTool(tool: AgentTool, schemas: ApiSchemas): object {
  const { name, description, operation, body, isReadOnly = false, onlyAdds = false } = tool;
  const takes = operation ? inputSchema(operation, schemas) : body && bodySchema(schemas, body);
  return {
    name,
    description,
    inputSchema: takes ? selfContained(schemas, takes) : noInput,
    ...isReadOnly && { annotations: { readOnlyHint: true } },
    // Without an annotation, a tool is destructive.
    ...onlyAdds && { annotations: { destructiveHint: false } },
  };
}

/** Returns a schema with the ones that it refers to, and with shorter descriptions. */
function selfContained(
  schemas: ApiSchemas,
  schema: unknown,
): object {
  const definitions = new Map<string, unknown>();
  const copy = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (name, value) => {
      if (name === "$ref") return define(value);
      // A member may have this name as well.
      const isText = name === "description" && typeof value === "string";
      // The first sentence.
      return isText ? value.replace(/(?<=\.)\s.*$/s, "") : value;
    });

  function define(reference: string): string {
    const name = reference.slice(place.length);
    if (!definitions.has(name)) {
      // A schema may refer to itself.
      definitions.set(name, true);
      definitions.set(name, copy(schemas[name]));
    }
    return `#/$defs/${name}`;
  }

  const { description: _, ...copied } = Object(copy(schema));
  return {
    ...copied,
    ...definitions.size > 0 && { $defs: Object.fromEntries(definitions) },
  };
}
