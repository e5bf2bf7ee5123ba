/** Writes the reference of the configuration, in Markdown. */
import { boundsOf } from "../schema/bounds.ts";
import type { NamedType, Setting, SettingType, SettingTypes } from "../schema/read_settings.ts";
import { defaultValue } from "../schema/write_settings.ts";
import { withChapter } from "./chapter.ts";

const introduction =
  `This chapter is generated from the types in the sources (\`deno task generate\`).

- A configuration is an object: the argument of \`createServer\`, a JSON file, or the default export of a module.
- A duration is a number of seconds, or a string such as \`"30s"\`, \`"5m"\`, \`"1h"\`, \`"30d"\`.
- Functions, stores and pages need TypeScript or a module.`;

/** Replaces the generated chapter of the document. */
export function withSettings(
  page: string,
  types: SettingTypes,
  titles: ReadonlyMap<string, string>,
): string {
  return withChapter(page, "## Every setting", reference(types, titles));
}

/** Writes a section for each type, in the given order, with all others after them. */
function reference(types: SettingTypes, titles: ReadonlyMap<string, string>): string {
  const names = [...new Set([...titles.keys(), ...types.keys()])];
  const sections = names.map((name) => section(name, types.get(name))).filter(Boolean);
  return [introduction, ...sections].join("\n\n");

  function section(name: string, named: NamedType | undefined): string {
    if (named?.type.type !== "object") return "";
    return [
      `### ${titleOf(name)}`,
      named.description,
      "| Setting | Type | Default | Meaning |\n|---|---|---|---|\n" +
      named.type.members.map(row).join("\n"),
    ].join("\n\n");
  }

  function titleOf(name: string): string {
    return titles.get(name) ?? name;
  }

  function row(setting: Setting): string {
    const cells = [
      `\`${setting.name}\``,
      typeText(setting.type),
      defaultText(setting),
      setting.description,
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  }

  function typeText(type: SettingType): string {
    switch (type.type) {
      case "ref":
        return referenceText(type.name);
      case "array":
        return `list of: ${typeText(type.items)}`;
      case "map":
        return `object of: ${typeText(type.values)}`;
      case "anyOf":
        return type.options.map(typeText).join(" or ");
      case "enum":
        return type.values.map((value) => `\`"${value}"\``).join(", ");
      case "string":
        return type.format && type.format !== "secret" ? `string (${type.format})` : "string";
      case "unknown":
        return "anything";
      case "object":
        return type.members.map(({ name }) => `\`${name}\``).join(", ");
      case "duration":
      case "number":
      case "integer":
        return `${type.type}${boundsOf(type)}`;
      default:
        return type.type;
    }
  }

  function referenceText(name: string): string {
    const type = types.get(name)?.type;
    if (type?.type !== "object") return type ? typeText(withoutItself(type, name)) : name;
    const anchor = titleOf(name).toLowerCase().replaceAll(" ", "-");
    return `[${titleOf(name)}](#${anchor})`;
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
  return value === undefined ? setting.default ?? "" : `\`${value}\``;
}
