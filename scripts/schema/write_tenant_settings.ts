/** Writes the settings that a tenant of a lab takes over HTTP, from the JSON Schema of a file. */

interface Property {
  type?: string | readonly string[];
  enum?: readonly string[];
  $ref?: string;
  anyOf?: readonly Property[];
  description?: string;
}

interface FileSchema {
  properties: Record<string, Property>;
  definitions: Record<string, Property>;
}

/**
 * A tenant has the addresses of its lab and visits the applications that its lab may visit; and
 * `$schema` is for editors.
 */
const excluded = ["$schema", "issuer", "frontChannelUrl", "backChannelUrl", "drillOrigins"];

/** The settings that a lab takes as a list, too. */
const alsoLists = ["scopes"];

/** Returns the JSON type and the description of each setting, as JSON. */
export function tenantSettings(fileSchema: string): string {
  const { properties, definitions }: FileSchema = JSON.parse(fileSchema);
  const members = Object.entries(properties)
    .filter(([name]) => !excluded.includes(name))
    .map(([name, property]) => {
      const list = alsoLists.includes(name) ? ["array"] : [];
      const types = [...new Set([...jsonTypesOf(property, definitions), ...list])];
      const type = types.length === 1 ? types[0] : types;
      const member = { type, description: property.description?.split("\n")[0] ?? "" };
      return [name, member];
    });
  return JSON.stringify(Object.fromEntries(members), null, 2);
}

function jsonTypesOf(property: Property, definitions: FileSchema["definitions"]): string[] {
  if (property.anyOf) return property.anyOf.flatMap((each) => jsonTypesOf(each, definitions));
  if (property.enum) return ["string"];
  if (property.type) return [property.type].flat().map(toJsonType);
  const name = property.$ref?.split("/").at(-1) ?? "";
  // Only the program reads secrets from its environment.
  if (name === "environmentVariable") return [];
  const definition = definitions[name];
  if (!definition) throw new Error(`There is no definition of ${property.$ref}.`);
  return jsonTypesOf(definition, definitions);
}

function toJsonType(type: string): string {
  return type === "integer" ? "number" : type;
}
