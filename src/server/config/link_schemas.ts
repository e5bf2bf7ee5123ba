import type { Schema } from "./schema.ts";

/** Types of settings as `deno task generate` writes them. */
export type TypeData<Name extends string> = Readonly<
  Record<Name, { schema: object; defaults?: Readonly<Record<string, unknown>> }>
>;

/**
 * Puts the schema of a type in place of each reference to it, `{ "ref": "Dialect" }`. It changes
 * the data, as copies would take a process a millisecond of its start.
 */
export function linkSchemas<Name extends string>(
  types: TypeData<Name>,
): Readonly<Record<Name, Schema>> {
  const schemas = new Map<string, object>();
  for (const name in types) schemas.set(name, types[name].schema);
  for (const schema of schemas.values()) link(schema as Record<string, unknown>);
  return Object.fromEntries(schemas) as Record<Name, Schema>;

  function link(part: Record<string, unknown>): void {
    for (const name in part) {
      const value = part[name];
      if (typeof value !== "object" || value === null) continue;
      if ("ref" in value && typeof value.ref === "string") part[name] = schemaNamed(value.ref);
      else link(value as Record<string, unknown>);
    }
  }

  function schemaNamed(name: string): object {
    const schema = schemas.get(name);
    if (!schema) throw new Error(`There is no type ${name}.`);
    return schema;
  }
}
