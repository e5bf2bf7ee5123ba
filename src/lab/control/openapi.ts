import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { OperationDescription } from "../core/operation.ts";
import { type ApiSchemas, bodySchema, loadLabSchemas } from "./lab_schemas.ts";

const place = "#/components/schemas/";

const errorContent = { "application/json": { schema: { $ref: `${place}LabProblem` } } };

/** Why an operation failed, which every error response has. */
const problemSchema = {
  description: "Why an operation failed.",
  type: "object",
  properties: {
    error: { description: "The error code.", type: "string" },
    error_description: {
      description: "Why it failed, in one sentence, with the valid choices.",
      type: "string",
    },
  },
  required: ["error", "error_description"],
};

const errors = {
  400: { description: "The operation failed and changed nothing.", content: errorContent },
  401: { description: "The lab's token is missing or wrong.", content: errorContent },
  403: { description: "The request has a foreign Origin or Host.", content: errorContent },
};

/** Describes the interface of a lab over HTTP in OpenAPI. */
export async function describeInterface(
  issuer: string,
  operations: readonly OperationDescription[],
): Promise<Record<string, unknown>> {
  const schemas = await loadLabSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/, "{$1}");
    const method = operation.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: describeOperation(operation, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hallpass lab",
      version: "1",
      description: "Everything that a test can do with a lab, from any language.",
    },
    servers: [{ url: issuerUrl(issuer, "/lab") }],
    security: [{}, { labToken: [] }],
    components: {
      securitySchemes: { labToken: { type: "http", scheme: "bearer" } },
      schemas: { ...schemas, LabProblem: problemSchema },
    },
    paths,
  };
}

function describeOperation(
  operation: OperationDescription,
  schemas: ApiSchemas,
): Record<string, unknown> {
  const { name, summary, body, statuses = [200] } = operation;
  const parameters = parametersOf(operation);
  const success = { description: "The operation succeeded.", content: contentOf(operation) };
  const whole = body && bodySchema(schemas, body);
  const schema = body && body.inPath === undefined ? { $ref: `${place}${body.name}` } : whole;
  return {
    // As methods of a generated client are written: addFault.
    operationId: name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    ...parameters.length > 0 && { parameters },
    ...whole && {
      requestBody: {
        required: (whole.required ?? []).length > 0,
        content: { "application/json": { schema } },
      },
    },
    responses: { ...Object.fromEntries(statuses.map((status) => [status, success])), ...errors },
  };
}

function contentOf({ returns, otherFormats = [] }: OperationDescription): Record<string, unknown> {
  const texts = otherFormats.map((type) => [type, { schema: { type: "string" } }]);
  const hasJson = returns !== undefined || texts.length === 0;
  return {
    ...hasJson && { "application/json": { schema: schemaOf(returns) } },
    ...Object.fromEntries(texts),
  };
}

/** Returns the schema of a response: of an interface, of a list of it, or of an empty object. */
function schemaOf(returns: OperationDescription["returns"]): Record<string, unknown> {
  if (typeof returns === "object") return { anyOf: returns.map(schemaOf) };
  if (returns === undefined) return { type: "object", additionalProperties: false };
  const reference = { $ref: `${place}${returns.replace("[]", "")}` };
  return returns.endsWith("[]") ? { type: "array", items: reference } : reference;
}

function parametersOf({ path, query = {} }: OperationDescription): object[] {
  const schema = { type: "string" };
  const [, segment] = /:(\w+)/.exec(path) ?? [];
  const inPath = segment === undefined
    ? []
    : [{ name: segment, in: "path", required: true, schema }];
  const inQuery = Object.entries(query)
    .map(([name, description]) => ({ name, in: "query", description, schema }));
  return [...inPath, ...inQuery];
}
