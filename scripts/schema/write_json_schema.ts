/**
 * Writes the JSON Schema of a configuration file: completion, checks and documentation for an
 * editor.
 */
import type { Format } from "../../src/server/config/formats.ts";
import { serverClaims } from "../../src/server/model/claims.ts";
import { reachable } from "../files.ts";
import { boundsOf } from "./bounds.ts";
import type { Setting, SettingType, SettingTypes } from "./read_settings.ts";
import { defaultValue } from "./write_settings.ts";

/** A schema in JSON, of the draft that editors know best. */
export type JsonSchema = Record<string, unknown>;

const environmentVariable: JsonSchema = {
  description: "Takes a secret from an environment variable.",
  type: "object",
  properties: { env: { type: "string", description: "The name of the variable." } },
  required: ["env"],
  additionalProperties: false,
};

/** What of each format JSON Schema can express. */
const formats: Record<Format, JsonSchema> = {
  acr: { pattern: "^[\\x21-\\x7e]+$" },
  audience: { pattern: "^[\\x21-\\x7e]+$" },
  claim: { not: { enum: [...serverClaims] } },
  "client-id": { pattern: "^[\\x20-\\x7e]{1,255}$" },
  color: { pattern: "^#[0-9A-Fa-f]{6}$" },
  "display-name": { maxLength: 200 },
  "endpoint-path": { pattern: "^(/[A-Za-z0-9._~-]+)+/?$" },
  "https-url": { format: "uri", pattern: "^https?:[^#]*$" },
  link: { format: "uri", pattern: "^(https?|mailto):[^#]*$" },
  network: { pattern: "^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$" },
  path: { pattern: "^/" },
  "redirect-uri": { format: "uri" },
  scope: { pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$" },
  secret: { minLength: 32 },
  subject: { pattern: "^[\\x21-\\x7e]{1,255}$" },
  uri: { format: "uri", pattern: "^[^#]*$" },
  url: { format: "uri", pattern: "^[^#]*$" },
};

/** Writes the schema of a file that holds the members of several types. */
export function jsonSchema(types: SettingTypes, parts: readonly string[]): string {
  const { definitions, propertiesOf } = createWriter(types, fileStyle);
  const properties = {
    $schema: { type: "string", description: "The location of this schema, for your editor." },
    ...propertiesOf(settingsIn(types, parts)),
  };
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Hallpass configuration",
    type: "object",
    properties,
    additionalProperties: false,
    definitions: referredTo({ environmentVariable, ...definitions }, properties),
  };
  return `${JSON.stringify(schema, null, 1)}\n`;
}

/** Returns the members of several types; of a repeated name, the last one. */
export function settingsIn(types: SettingTypes, parts: readonly string[]): Setting[] {
  const members = parts.flatMap((part) => {
    const type = types.get(part)?.type;
    return type?.type === "object" ? type.members : [];
  });
  return [...new Map(members.map((each) => [each.name, each])).values()];
}

/** How the schemas of one document refer to each other, and what they say about text. */
export interface SchemaStyle {
  /** Where the schemas of named types are: `"#/definitions/"`. */
  place: string;
  /** Whether the schema of a format is a definition of its own. */
  definesFormats: boolean;
  /**
   * Whether defaults are written as such, and not in the description. Generators of clients take a
   * member with a default for a required one.
   */
  writesDefaults: boolean;
  /** Returns the schema of text with a format. */
  text(format: Format | undefined): JsonSchema;
}

const fileStyle: SchemaStyle = {
  place: "#/definitions/",
  definesFormats: true,
  writesDefaults: true,
  text: (format) => {
    const text = { type: "string", minLength: 1, ...textFormat(format) };
    return { anyOf: [text, { $ref: "#/definitions/environmentVariable" }] };
  },
};

/** Returns what JSON Schema can express of a format. */
export function textFormat(format: Format | undefined): JsonSchema {
  return format ? formats[format] : {};
}

/** Returns what writes the schemas of types. */
export function createWriter(
  types: SettingTypes,
  { place, definesFormats, writesDefaults, text }: SchemaStyle,
) {
  /** The schemas of the named types that were written. */
  const definitions: Record<string, JsonSchema> = {};
  const reference = (name: string) => ({ $ref: `${place}${name}` });
  return { definitions, propertiesOf, referTo };

  /** Returns the properties of an object with these members, without what only code can hold. */
  function propertiesOf(settings: readonly Setting[]): JsonSchema {
    const entries = settings.map((setting) => [setting.name, propertyOf(setting)]);
    return Object.fromEntries(entries.filter(([, property]) => property !== undefined));
  }

  function propertyOf(setting: Setting): JsonSchema | undefined {
    const schema = toJson(setting.type);
    if (schema === undefined) return undefined;
    const value = writesDefaults ? defaultValue(setting) : undefined;
    return {
      description: describe(setting, writesDefaults),
      ...schema,
      ...value !== undefined && { default: JSON.parse(value) },
    };
  }

  function toJson(type: SettingType): JsonSchema | undefined {
    switch (type.type) {
      case "code":
      case "function":
        return undefined;
      case "unknown":
        return {};
      case "null":
      case "boolean":
        return { type: type.type };
      case "number":
      case "integer":
        return { ...type };
      case "string":
        return definesFormats
          ? define(type.format ?? "string", () => text(type.format))
          : text(type.format);
      case "duration":
        return durationSchema(type.minimum, type.maximum);
      case "enum":
        return { enum: type.values };
      case "ref":
        return referTo(type.name);
      case "array":
        return wrap(type.items, (items) => ({ type: "array", items }));
      case "map":
        return wrap(type.values, (values) => ({ type: "object", additionalProperties: values }));
      case "anyOf":
        return unionOf(type.options.map(toJson).filter((each) => each !== undefined));
      case "object":
        return objectSchema(type.members);
    }
  }

  function wrap(
    inner: SettingType,
    outer: (schema: JsonSchema) => JsonSchema,
  ): JsonSchema | undefined {
    const schema = toJson(inner);
    return schema && outer(schema);
  }

  /** Writes the schema of a named type, and returns a reference to it. */
  function referTo(name: string): JsonSchema | undefined {
    const named = types.get(name);
    if (!named) throw new Error(`There is no type ${name}.`);
    // A type that refers to itself is defined while it is read.
    if (definitions[name]) return reference(name);
    definitions[name] = {};
    const schema = toJson(named.type);
    if (schema) definitions[name] = { description: named.description, ...schema };
    else delete definitions[name];
    return schema && reference(name);
  }

  function define(name: string, create: () => JsonSchema): JsonSchema {
    definitions[name] ??= create();
    return reference(name);
  }

  /** An object that cannot exist without code is code itself, and so is one of nothing but code. */
  function objectSchema(settings: readonly Setting[]): JsonSchema | undefined {
    const properties = propertiesOf(settings);
    const required = settings.filter((each) => each.required).map(({ name }) => name);
    const isCode = required.some((name) => !(name in properties)) ||
      Object.keys(properties).length === 0;
    if (isCode) return undefined;
    return {
      type: "object",
      properties,
      ...required.length > 0 && { required },
      additionalProperties: false,
    };
  }
}

/** Leaves out the definitions of what only code can hold. */
function referredTo(
  definitions: Record<string, JsonSchema>,
  properties: JsonSchema,
): Record<string, JsonSchema> {
  const namesIn = (schema: JsonSchema = {}) =>
    [...JSON.stringify(schema).matchAll(/#\/definitions\/([\w-]+)/g)].map(([, name = ""]) => name);
  const names = reachable(namesIn(properties), (name) => namesIn(definitions[name]));
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => names.has(name)));
}

/** Describes a setting, with what the schema itself cannot express. */
function describe(setting: Setting, writesDefaults: boolean): string {
  const { type, description } = setting;
  const sentences = [description];
  const bounds = type.type === "duration" ? boundsOf(type) : "";
  if (bounds) sentences.push(`A duration${bounds}.`);
  const isWritten = writesDefaults && defaultValue(setting) !== undefined;
  if (!isWritten && setting.default !== undefined) {
    sentences.push(`Default: ${setting.default}.`);
  }
  return sentences.join(" ");
}

function unionOf([first, ...others]: JsonSchema[]): JsonSchema | undefined {
  return first && others.length > 0 ? { anyOf: [first, ...others] } : first;
}

function durationSchema(minimum: number, maximum: number): JsonSchema {
  return {
    type: ["number", "string"],
    minimum,
    maximum,
    pattern: "^\\d+(\\.\\d+)?(ms|s|m|h|d)$",
  };
}
