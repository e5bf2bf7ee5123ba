import calls from "../../../static/settings/lab_calls.json" with { type: "json" };
import { linkSchemas } from "../../server/config/link_schemas.ts";
import type { BodyDescription } from "../core/operation.ts";

/** The schemas of the bodies that the lab itself does not check, by the names of their types. */
export const bodySchemas = linkSchemas(calls);

/** A schema in JSON, as far as the interface over HTTP has them. */
export interface ApiSchema {
  description?: string;
  type?: string | readonly string[];
  $ref?: string;
  enum?: readonly string[];
  anyOf?: readonly ApiSchema[];
  properties?: Readonly<Record<string, ApiSchema>>;
  required?: readonly string[];
}

/** The schema of each interface, by its name. */
export type ApiSchemas = Readonly<Record<string, ApiSchema>>;

/** Loads the schemas, which only descriptions of the interface need. */
export async function loadLabSchemas(): Promise<ApiSchemas> {
  return (await import("./schema_file.ts")).labSchemas as ApiSchemas;
}

/** Returns the schema of a body, without what its path has. */
export function bodySchema(schemas: ApiSchemas, { name, inPath }: BodyDescription): ApiSchema {
  const schema = schemas[name];
  if (!schema) throw new Error(`There is no schema of ${name}.`);
  if (inPath === undefined) return schema;
  const { required = [], properties = {}, ...others } = schema;
  const { [inPath]: _, ...inBody } = properties;
  return { ...others, properties: inBody, required: required.filter((each) => each !== inPath) };
}
