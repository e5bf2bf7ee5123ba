import type { ObjectSchema, Schema } from "./schema.ts";

/** The schemas of settings as `deno task generate` writes them, with the defaults of members. */
export type TypeData = Readonly<Record<string, object>>;

type LinkedSchemas<Types extends TypeData> = {
  readonly [Name in keyof Types]: Types[Name] extends { members: object } ? ObjectSchema : Schema;
};

/**
 * Replaces each reference to a type, `{ "ref": "Dialect" }`, by its schema. It changes
 * the data: copies would add a millisecond to the start of a process.
 */
export function linkSchemas<Types extends TypeData>(types: Types): LinkedSchemas<Types> {
  for (const schema of Object.values(types)) link(schema as Record<string, unknown>);
  return types as LinkedSchemas<Types>;

  function link(part: Record<string, unknown>): void {
    for (const name in part) {
      const value = part[name];
      if (typeof value !== "object" || value === null) continue;
      if ("ref" in value && typeof value.ref === "string") part[name] = schemaNamed(value.ref);
      else link(value as Record<string, unknown>);
    }
  }

  function schemaNamed(name: string): object {
    const schema = types[name];
    if (!schema) throw new Error(`There is no type ${name}.`);
    return schema;
  }
}
