import { issuerUrl } from "../../protocol/issuer_url.ts";
import type { BodyMember, Operation } from "./operation.ts";

/** Describes the interface for programs that read OpenAPI, from the operations themselves. */
export function describeInterface(
  issuer: string,
  operations: readonly Operation[],
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/, "{$1}");
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hallpass lab",
      version: "1",
      description: "What a test can do with a lab, from any language.",
    },
    servers: [{ url: issuerUrl(issuer, "/lab") }],
    security: [{}, { labToken: [] }],
    components: { securitySchemes: { labToken: { type: "http", scheme: "bearer" } } },
    paths,
  };
}

function describeOperation(
  { method, path, summary, query = {}, body }: Operation,
): Record<string, unknown> {
  const [, segment] = /:(\w+)/.exec(path) ?? [];
  const parameters = [
    ...segment === undefined
      ? []
      : [{ name: segment, in: "path", required: true, schema: { type: "string" } }],
    ...Object.entries(query).map(([name, description]) => ({
      name,
      in: "query",
      description,
      schema: { type: "string" },
    })),
  ];
  return {
    operationId: `${method.toLowerCase()}${
      path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())
    }`,
    summary,
    ...parameters.length > 0 && { parameters },
    ...body && { requestBody: { content: { "application/json": { schema: schemaOf(body) } } } },
    responses: {
      200: { description: "It was done." },
      400: {
        description:
          "It could not be done; error_description says why, and what there is. Nothing was changed.",
      },
      403: { description: "Refused: a foreign Origin or Host." },
      401: { description: "Refused: the lab's token is missing." },
    },
  };
}

function schemaOf(members: Readonly<Record<string, BodyMember>>): Record<string, unknown> {
  const required = Object.entries(members).filter(([, member]) => member.required).map(([name]) =>
    name
  );
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, { type, description }]) => [name, { type, description }]),
  );
  return { type: "object", properties, ...required.length > 0 && { required } };
}
