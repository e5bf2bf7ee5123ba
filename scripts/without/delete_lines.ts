import { posix } from "node:path";

/** A file without a feature. */
export interface ListsWithout {
  source: string;
  /** The names of the feature with which the file does more than to list them. */
  left: string[];
}

const statement = /^(?:import|export)\s(?:type )?(?:\{([^}]*)\}|\*) from "([^"]*)";\n/gm;

/**
 * Deletes a feature from a file: the statements that import or export something from its folder,
 * and these names where they are elements of lists.
 */
export function deleteLines(source: string, feature: string, file = ""): ListsWithout {
  const names: string[] = [];
  const others = source.replace(statement, (whole: string, list = "", target = "") => {
    if (!isOf(feature, file, target)) return whole;
    names.push(...list.split(",").map(nameIn).filter(Boolean));
    return "";
  });
  const rest = [...new Set(names)].reduce(deleteElement, others);
  return {
    source: rest,
    left: names.filter((name) => new RegExp(`\\b${name}\\b`).test(rest)),
  };
}

/** Returns the settings that a file declares: the members of interfaces named `…Setting`. */
export function settingsIn(source: string): string[] {
  const bodies = source.matchAll(/^export interface \w+Setting \{\n(.*?)^\}/gms);
  return [...bodies].flatMap(([, body = ""]) =>
    [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name = ""]) => name)
  );
}

/** Deletes settings from data, such as presets, and from lists of their names. */
export function deleteSettings(source: string, settings: readonly string[]): string {
  if (settings.length === 0) return source;
  const member = `(?:${settings.join("|")}): (?:"[^"\n]*"|\\d+|true|\\[[^\\]\n]*\\])`;
  return source
    .replace(new RegExp(`^ *(?:${settings.join("|")})\\?: [^\n]*;\n`, "gm"), "")
    .replace(new RegExp(`^ *(?:\\| "(?:${settings.join("|")})"|${member},)\n`, "gm"), "")
    .replace(new RegExp(`(?<=\\{ )${member}(?:, | (?=\\}))|, ${member}(?= \\}|,)`, "g"), "");
}

/** Whether an import in a file leads to a feature, or to what another one has for it. */
function isOf(feature: string, file: string, target: string): boolean {
  return isPartOf(feature, posix.join("/", posix.dirname(file), target));
}

/** Whether a file is in the folder of a feature, or is what another one has for it. */
export function isPartOf(feature: string, path: string): boolean {
  return new RegExp(`/features/(?:${feature}/|\\w+/${feature}\\.tsx?$)`).test(path);
}

function nameIn(specifier: string): string {
  return specifier.trim().replace(/^type /, "").split(" as ").at(-1) ?? "";
}

/**
 * Deletes `name,` and `...name,`, or `, name` at the end of a list, and `| name` of a type. The
 * value or the type of a member is no element: `member: name,`.
 */
function deleteElement(source: string, name: string): string {
  const element = `(?:\\.\\.\\.)?\\b${name}\\b`;
  return source
    .replace(new RegExp(`^ *(?:${element},|\\| ${name})\\n|\\n *\\| ${name}(?=;)`, "gm"), "")
    .replace(new RegExp(`(?<!: )${element}, |,\\s+${element}(?=[ ;)}\\]])`, "g"), "");
}
