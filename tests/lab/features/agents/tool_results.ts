import { loadLabSchemas } from "../../../../src/lab/control/lab_schemas.ts";
import { agentTools } from "../../../../src/lab/features/agents/agent_tools.ts";
import { operations } from "../../../../src/lab/routes/operation_table.ts";
import { type JsonSchema, schemaProblems } from "../../../support/json_schema.ts";

const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };

/** What a refused request has, with what to do about it. */
const refused = object({ request: text, id: number, error: text, description: text }, {
  ...texts("hint", "received", "expected", "see", "rule", "parameter", "fix"),
});

const flow = object({ id: text, outcome: text, startedAt: text }, texts("client", "user", "rule"));

const running = object({ running: { type: "boolean" }, done: number, total: number });

const findings = object({
  clean: { type: "boolean" },
  tried: number,
  findings: listOf({ $ref: "#/components/schemas/Finding" }),
  more: number,
});

/** The results of the tools that are no operations. */
const results: Readonly<Record<string, JsonSchema>> = {
  connect_app: object(
    { issuer: text, clientId: text, redirectUris: listOf(text) },
    texts("clientSecret", "lines", "file"),
  ),
  flows: object({ flows: listOf(flow), more: number }),
  explain: object(
    { about: text, outcome: text },
    { refused: listOf(refused), more: number, ...texts("gain", "fix", "see") },
  ),
  report: findings,
  drill_app: { anyOf: [findings, running] },
  drill_api: { anyOf: [findings, running] },
};

/** Returns where the result of a tool differs from what it always has. */
export async function resultProblems(name: string, value: unknown): Promise<string[]> {
  const schemas = await loadLabSchemas() as Record<string, JsonSchema>;
  const operation = agentTools(operations).find((tool) => tool.name === name)?.operation;
  const [returns = ""] = [operation?.returns ?? ""].flat();
  const schema = operation ? schemas[returns] ?? {} : results[name];
  return schema ? schemaProblems(schema, value, schemas) : [`${name} has no schema`];
}

function object(
  required: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

function texts(...names: string[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name, text]));
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
