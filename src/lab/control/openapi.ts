import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { BodyMembers, Operation } from "./operation.ts";

const responses = {
  200: { description: "The operation succeeded." },
  400: {
    description:
      "The operation failed and changed nothing; error_description explains why, and names the valid choices.",
  },
  401: { description: "The lab's token is missing or wrong." },
  403: { description: "The request has a foreign Origin or Host." },
};

/** Describes the interface of a lab over HTTP in OpenAPI. */
export function describeInterface(
  issuer: string,
  operations: readonly Operation[],
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/, "{$1}");
    const method = operation.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: describeOperation(operation) };
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
    components: { securitySchemes: { labToken: { type: "http", scheme: "bearer" } } },
    paths,
  };
}

function describeOperation(operation: Operation): Record<string, unknown> {
  const { summary, body } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: operationIdOf(operation),
    summary,
    ...parameters.length > 0 && { parameters },
    ...body && { requestBody: { content: { "application/json": { schema: schemaOf(body) } } } },
    responses,
  };
}

/** Returns an id such as `getFaultsCatalogue`. */
function operationIdOf({ method, path }: Operation): string {
  const name = path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${method.toLowerCase()}${name}`;
}

function parametersOf({ path, query = {} }: Operation): object[] {
  const schema = { type: "string" };
  const [, segment] = /:(\w+)/.exec(path) ?? [];
  const inPath = segment === undefined
    ? []
    : [{ name: segment, in: "path", required: true, schema }];
  const inQuery = Object.entries(query)
    .map(([name, description]) => ({ name, in: "query", description, schema }));
  return [...inPath, ...inQuery];
}

function schemaOf(members: BodyMembers): Record<string, unknown> {
  const required = Object.keys(members).filter((name) => members[name]?.required);
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, { type, description }]) => [name, { type, description }]),
  );
  return { type: "object", properties, ...required.length > 0 && { required } };
}
