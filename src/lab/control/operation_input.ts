import type { CoreLab } from "../core/core_lab.ts";
import type { OperationCall, OperationDescription } from "../core/operation.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import { type ApiSchema, type ApiSchemas, bodySchema } from "./lab_schemas.ts";

/** What is the same for each way to call an operation: what its path, query and body have. */
export type OperationInput = Pick<OperationCall, "segment" | "query" | "body">;

/** Describes as one object all that an operation takes: for a tool of agents, or a command. */
export function inputSchema(
  { path, query = {}, body }: OperationDescription,
  schemas: ApiSchemas,
): ApiSchema & { properties: Readonly<Record<string, ApiSchema>>; required: readonly string[] } {
  const segment = openSegment(path);
  const { properties = {}, required = [], ...whole } = body ? bodySchema(schemas, body) : {};
  const asked = Object.entries(query)
    .map(([name, description]) => [name, { description, type: "string" }]);
  const inPath = segment === undefined ? [] : [segment];
  return {
    ...whole,
    type: "object",
    properties: {
      ...Object.fromEntries(inPath.map((name) => [name, { type: "string" }])),
      ...Object.fromEntries(asked),
      ...properties,
    },
    required: [...inPath, ...required],
  };
}

/**
 * Returns what such an object says to an operation. What is in a body is checked with it.
 *
 * @throws {LabError} The operation takes no such member, or the one of its path is missing.
 */
export function readInput(
  { name, path, query = {}, body }: OperationDescription,
  members: Readonly<Record<string, unknown>>,
): OperationInput {
  const open = openSegment(path);
  const { [open ?? ""]: segment = "", ...others } = members;
  if (open !== undefined && segment === "") throw new LabError(`'${open}' is missing.`);
  const isAsked = ([member]: [string, unknown]) => Object.hasOwn(query, member);
  const rest = Object.entries(others).filter((entry) => !isAsked(entry));
  const [unknown] = body ? [] : rest;
  if (unknown) {
    const known = [...open === undefined ? [] : [open], ...Object.keys(query)];
    if (known.length === 0) throw new LabError(`${name.replaceAll("-", "_")} takes no arguments.`);
    throw unknownName("argument", unknown[0], known);
  }
  const asked = Object.entries(others).filter(isAsked);
  return {
    segment: String(segment),
    query: new URLSearchParams(asked.map(([member, value]) => [member, String(value)])),
    body: Object.fromEntries(rest),
  };
}

/** What an operation takes that takes nothing. */
export const noInput: OperationInput = { segment: "", query: new URLSearchParams(), body: {} };

/** Returns the call that its declaration has as an example. */
export function exampleInput(lab: CoreLab, { example = {} }: OperationDescription): OperationInput {
  const { segment = "1", body = {} } = example;
  return { ...noInput, segment, body: typeof body === "function" ? body(lab) : body };
}

export function openSegment(path: string): string | undefined {
  return /:(\w+)/.exec(path)?.[1];
}
