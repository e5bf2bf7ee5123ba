import { type ApiSchemas, bodySchema } from "../../control/lab_schemas.ts";
import { inputSchema } from "../../control/operation_input.ts";
import type { AgentTool } from "./agent_tool.ts";

const place = "#/components/schemas/";

const noInput = { type: "object", properties: {}, additionalProperties: false };

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
