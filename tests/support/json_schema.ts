import { isObject } from "../../src/server/util/text/json.ts";

/** A JSON Schema, as far as the OpenAPI document of a lab uses it. */
export interface JsonSchema {
  $ref?: string;
  anyOf?: JsonSchema[];
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
}

/** Returns where a value differs from a schema; `schemas` are those that it may refer to. */
export function schemaProblems(
  schema: JsonSchema,
  value: unknown,
  schemas: Record<string, JsonSchema>,
  path = "$",
): string[] {
  const check = (each: JsonSchema, inner: unknown, at: string) =>
    schemaProblems(each, inner, schemas, at);
  if (schema.$ref !== undefined) {
    const found = schemas[schema.$ref.replace("#/components/schemas/", "")];
    return found ? check(found, value, path) : [`${path}: ${schema.$ref} does not exist`];
  }
  if (schema.anyOf) {
    const isValid = schema.anyOf.some((each) => check(each, value, path).length === 0);
    return isValid ? [] : [`${path}: fits no option`];
  }
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${path}: is ${value}`];
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => hasType(type, value))) {
    return [`${path}: is not ${types.join(" or ")}`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => check(schema.items ?? {}, each, `${path}[${at}]`));
  }
  return isObject(value) ? memberProblems(schema, value, path, check) : [];
}

function memberProblems(
  { properties = {}, required = [], additionalProperties = true }: JsonSchema,
  value: Record<string, unknown>,
  path: string,
  check: (schema: JsonSchema, value: unknown, path: string) => string[],
): string[] {
  const missing = required.filter((name) => !(name in value));
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const other = additionalProperties === true ? {} : additionalProperties;
    const schema = properties[name] ?? other;
    return schema ? check(schema, inner, `${path}.${name}`) : [`${path}.${name}: is unknown`];
  });
  return [...missing.map((name) => `${path}.${name}: is missing`), ...members];
}

function hasType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  const kind: string = typeof value;
  return type === "integer" ? Number.isInteger(value) : kind === type;
}
