/** Writes the settings as data: the schemas that check them, and the defaults. */
import { linkSchemas, type TypeData } from "../../src/server/config/link_schemas.ts";
import { collectProblems } from "../../src/server/config/problems.ts";
import { checkValue } from "../../src/server/config/schema.ts";
import type { Setting, SettingType, SettingTypes } from "./read_settings.ts";

/** The files of settings by their paths, each with the names of its types, and all types. */
export type SettingsFiles = Readonly<Record<string, [names: readonly string[], SettingTypes]>>;

/**
 * Writes a JSON file for each part. It refers to a type of any of the files by its name; all other
 * types are written where they are used. So is a list of words, unless a feature has it repeatedly.
 */
export function settingsFiles(files: SettingsFiles): Record<string, string> {
  const known = Object.values(files).flatMap(([names]) => names);
  const texts = Object.entries(files).map(([file, [names, types]]) => {
    const lists = file.startsWith("src/") ? repeatedLists(names, types) : [];
    return [file, JSON.stringify(settingsOf([...names, ...lists], types, known))] as const;
  });
  checkDefaults(Object.assign({}, ...texts.map(([, text]) => JSON.parse(text))));
  return Object.fromEntries(texts);
}

/** The default of a setting, if it is a value and no description. */
export function defaultValue({ default: text }: Setting): string | undefined {
  if (text === undefined) return undefined;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

function settingsOf(
  names: readonly string[],
  types: SettingTypes,
  known: readonly string[],
): TypeData {
  const typeNamed = (name: string): SettingType => {
    const named = types.get(name);
    if (!named) throw new Error(`There is no type ${name}.`);
    return named.type;
  };
  const schemaOf = (type: SettingType): object => {
    switch (type.type) {
      case "code":
        return { type: "map", values: { type: "unknown" } };
      case "ref":
        return [...known, ...names].includes(type.name)
          ? { ref: type.name }
          : schemaOf(typeNamed(type.name));
      case "array":
        return { type: "array", items: schemaOf(type.items) };
      case "map":
        return { type: "map", values: schemaOf(type.values) };
      case "anyOf":
        return { type: "anyOf", options: type.options.map(schemaOf) };
      case "object":
        return objectSchema(type.members);
      default:
        return type;
    }
  };
  const objectSchema = (settings: readonly Setting[]) => {
    const required = settings.filter((each) => each.required).map(({ name }) => name);
    const members = settings.map(({ name, type }) => [name, schemaOf(type)]);
    return {
      type: "object",
      ...required.length > 0 && { required },
      members: Object.fromEntries(members),
    };
  };
  return Object.fromEntries(names.map((name) => {
    const type = typeNamed(name);
    const defaults = defaultsOf(type);
    return [name, { ...schemaOf(type), ...defaults && { defaults } }];
  }));
}

/** Returns the lists of words that are the type of more than one member. */
function repeatedLists(names: readonly string[], types: SettingTypes): string[] {
  const members = names.flatMap((name) => {
    const type = types.get(name)?.type;
    return type?.type === "object" ? type.members : [];
  });
  const lists = members.flatMap(({ type }) =>
    type.type === "ref" && types.get(type.name)?.type.type === "enum" ? [type.name] : []
  );
  return [...new Set(lists.filter((name, at) => lists.indexOf(name) !== at))];
}

/** Returns the defaults that depend on no other setting; undefined if there is none. */
function defaultsOf(type: SettingType): Record<string, unknown> | undefined {
  const members = type.type === "object" ? type.members : [];
  const values = members.flatMap((member) => {
    const value = defaultValue(member);
    return value === undefined ? [] : [[member.name, JSON.parse(value)]];
  });
  return values.length > 0 ? Object.fromEntries(values) : undefined;
}

/** The compiler takes any string of a JSON file for one that a setting may have. */
function checkDefaults(
  settings: Readonly<Record<string, { defaults?: Record<string, unknown> }>>,
): void {
  const schemas = linkSchemas(settings);
  const { report, throwAny } = collectProblems();
  for (const [type, { defaults = {} }] of Object.entries(settings)) {
    const schema = schemas[type];
    const members = schema?.type === "object" ? schema.members : {};
    for (const [name, value] of Object.entries(defaults)) {
      checkValue(members[name] ?? { type: "function" }, value, `${type}.${name}`, report);
    }
  }
  throwAny("write the defaults");
}
