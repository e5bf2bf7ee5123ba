import { type ApiSchemas, bodySchema } from "../../control/lab_schemas.ts";
import type { AgentTool } from "./agent_tool.ts";

const place = "#/components/schemas/";

const noInput = { type: "object", properties: {}, additionalProperties: false };

/** Describes a tool, as `tools/list` has it. */
export function describeTool(tool: AgentTool, schemas: ApiSchemas): object {
  const { name, title, description, body, returns, isReadOnly = false } = tool;
  return {
    name,
    title,
    description,
    inputSchema: body ? selfContained(schemas, bodySchema(schemas, body)) : noInput,
    outputSchema: selfContained(schemas, schemas[returns]),
    annotations: { title, readOnlyHint: isReadOnly, openWorldHint: false },
  };
}

/** Returns a schema with the ones that it refers to. */
function selfContained(schemas: ApiSchemas, schema: unknown): object {
  const definitions = new Map<string, unknown>();
  const close = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (name, value) => name === "$ref" ? define(value) : value);

  function define(reference: string): string {
    const name = reference.slice(place.length);
    if (!definitions.has(name)) {
      // A schema may refer to itself.
      definitions.set(name, true);
      definitions.set(name, close(schemas[name]));
    }
    return `#/$defs/${name}`;
  }

  const closed = close(schema);
  return {
    ...Object(closed),
    ...definitions.size > 0 && { $defs: Object.fromEntries(definitions) },
  };
}
