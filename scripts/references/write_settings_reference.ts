/** Writes the reference of the configuration, in Markdown. */
import { boundsOf } from "../schema/bounds.ts";
import type { NamedType, Setting, SettingType, SettingTypes } from "../schema/read_settings.ts";
import { defaultValue } from "../schema/write_settings.ts";
import { code, table, withChapter } from "./markdown.ts";

const head = ["Setting", "Type", "Default", "Meaning"];

/** A longer type that comes again names the setting that had it. */
const longestRepeated = 33;

/** Defaults that go without saying. */
const emptyValues = ["false", "[]", "{}"];

/** How many members of an object a cell names. */
const maxNames = 14;

/** How many of different types, with those of objects inside. */
const maxTypedNames = 11;

const introduction =
  `\`deno task generate\` writes this chapter. \`hallpass schema\` describes the members of \`{ … }\` as well.

- A configuration is an object: the argument of \`createServer\`, a JSON file, or the default export of a module.
- A duration is a number of seconds, or a string such as \`"30s"\`, \`"5m"\`, \`"1h"\`, \`"30d"\`.
- Functions, stores and pages need TypeScript or a module.
- Values in the column of types are strings. Where the table has no default, it is \`false\` for a boolean, \`[]\` for a list and \`{}\` for an object; others are not set.`;

/** Replaces the generated chapter of the document. */
export function withSettings(
  page: string,
  types: SettingTypes,
  titles: ReadonlyMap<string, string>,
): string {
  return withChapter(page, "## Every setting", reference(types, titles));
}

/** Writes a section for each type with a title. What a feature lacks that was deleted is left out. */
function reference(types: SettingTypes, titles: ReadonlyMap<string, string>): string {
  const sections = [...titles].map(([name, title]) => section(title, types.get(name)));
  return [introduction, ...sections.filter(Boolean)].join("\n\n");

  function section(title: string, named: NamedType | undefined): string {
    if (named?.type.type !== "object") return "";
    return [`### ${title}`, named.description, table(head, rows(named.type.members))].join("\n\n");
  }

  function rows(settings: readonly Setting[]): string[][] {
    const seen = new Map<string, string>();
    return settings.map((setting) => {
      const name = code(setting.name);
      let type = typeText(setting.type);
      for (const [long, first] of seen) type = type.replaceAll(long, `as ${first}`);
      if (type.length > longestRepeated) seen.set(type, name);
      return [name, type, defaultText(setting), setting.description.replaceAll(", section ", " §")];
    });
  }

  function typeText(type: SettingType): string {
    switch (type.type) {
      case "ref":
        return referenceText(type.name);
      case "array":
        return type.items.type === "string"
          ? `${typeText(type.items)}s`
          : `list of: ${typeText(type.items)}`;
      case "map":
        return type.values.type === "unknown" ? "object" : `object of: ${typeText(type.values)}`;
      case "anyOf":
        return type.options.map(typeText).join(" or ");
      case "enum":
        return type.values.map(code).join(", ");
      case "string":
        return type.format === "url" ? "URL" : "string";
      case "unknown":
        return "anything";
      case "object":
        return membersText(type.members);
      case "duration":
      case "number":
      case "integer":
        return `${type.type}${boundsOf(type)}`;
      default:
        return type.type;
    }
  }

  /** Writes the members of an object with their types; of a large one, the schema has them. */
  function membersText(members: readonly Setting[]): string {
    const [first = "", ...others] = new Set(members.map(({ type }) => typeText(type)));
    if (members.length > maxNames) return code("{ … }");
    const names = code(`{ ${members.map(({ name }) => name).join(", ")} }`);
    if (members.length > 1 && others.length === 0) return `${names} of: ${first}`;
    if (members.every(isOfClients)) return `${names} of: ${referenceText("ClientConfig")}`;
    const typed = members.map(({ name, type }) => `${code(name)}: ${typeText(type)}`);
    const isLong = typed.join().split("`: ").length > maxTypedNames + 1;
    // A list of values has commas.
    return isLong ? code("{ … }") : `{ ${typed.join("; ")} }`;
  }

  /** Whether a client has the same setting. */
  function isOfClients({ name, type }: Setting): boolean {
    const client = types.get("ClientConfig")?.type;
    const settings = client?.type === "object" ? client.members : [];
    return settings.some((each) => each.name === name && typeText(each.type) === typeText(type));
  }

  function referenceText(name: string): string {
    const type = types.get(name)?.type;
    const title = titles.get(name);
    if (title !== undefined) return `[${title}](#${title.toLowerCase().replaceAll(" ", "-")})`;
    return type ? typeText(withoutItself(type, name)) : name;
  }
}

/** A type that refers to itself is written once. */
function withoutItself(type: SettingType, name: string): SettingType {
  switch (type.type) {
    case "ref":
      return type.name === name ? { type: "ref", name: "such an object" } : type;
    case "map":
      return { type: "map", values: withoutItself(type.values, name) };
    case "anyOf":
      return { type: "anyOf", options: type.options.map((each) => withoutItself(each, name)) };
    default:
      return type;
  }
}

function defaultText(setting: Setting): string {
  if (setting.required) return "required";
  const value = defaultValue(setting);
  if (value === undefined) return setting.default === "none" ? "" : setting.default ?? "";
  return emptyValues.includes(value) ? "" : code(value.replace(/^"(.*)"$/, "$1"));
}
