/** Writes the reference of the kit, from the types of `hallpass/testing`. */
import { reachable } from "../files.ts";
import { code, table, withChapter } from "./markdown.ts";
import type { KitExport, KitMember } from "./read_kit.ts";

const introduction = `\`deno task generate\` writes this chapter.`;

const labMembers = `### The lab

What \`hallpass()\` returns. Its functions can be destructured: \`const { fetch, mint } = await hallpass()\`.`;

const types = `### Types

What the members take and return, without [settings](CONFIGURATION.md#every-setting) and the names and places of [faults](FAULTS_AND_DRILLS.md); an editor shows what each is for.`;

/** The interface of a lab. */
const root = "TestLab";

/** Settings, names and places, which other references describe. */
const elsewhere =
  /Config$|Fault(?:Name|Place)$|^SettingChanges$|^Playwright|^RoutedPage$|^LabRequestInit$/;

/** Longer definitions of types are left to the editor. */
const maxDefinition = 200;

/** An interface that fits into a line of so many characters has one. */
const maxLine = 100;

type Kit = ReadonlyMap<string, KitExport>;

/** Replaces the generated chapter of the document. */
export function withKit(page: string, kit: Kit): string {
  const members = membersOf(kit, root).filter(isNamed).toSorted((a, b) => a.name < b.name ? -1 : 1);
  const functions = [...kit.values()].filter(({ kind }) => kind === "function" || kind === "class");
  const text = [
    introduction,
    table(["Export", "What it does"], functions.map(exportCells)),
    labMembers,
    table(["Member", "What it does"], members.map(memberCells)),
    types,
    ["```ts", ...typesBehind(kit, members).map(declarationOf), "```"].join("\n"),
  ];
  return withChapter(page, "## Every member", text.join("\n\n"));
}

function exportCells({ source, description }: KitExport): string[] {
  return [code(shown(source).replace(/^export (async )?(function |class )/, "")), description];
}

function memberCells({ source, description }: KitMember): string[] {
  return [code(shown(source)), description];
}

/** Writes a type as TypeScript does, without its comments. */
function declarationOf({ kind, source, parents, members }: KitExport): string {
  const [, name = ""] = /^export (?:interface|type) (\w+(?:<[^>]+>)?)/.exec(source) ?? [];
  if (kind === "typeAlias") {
    const definition = shown(source).replace(/^export type [^=]+ = (\| )?/, "").replace(/;$/, "");
    const isLong = definition.length > maxDefinition;
    return isLong ? `// ${name}: an editor shows it.` : `type ${name} = ${definition};`;
  }
  const named = members.filter(isNamed).map(({ source }) => shown(source));
  const bases = parents.length > 0 ? ` extends ${parents.join(", ")}` : "";
  const line = `interface ${name}${bases} { ${named.join("; ")} }`;
  if (line.length <= maxLine) return line;
  return [`interface ${name}${bases} {`, ...fill(named.map((source) => `${source};`)), "}"].join(
    "\n",
  );
}

/** Writes texts into as few lines as they fit into. */
function fill(texts: readonly string[]): string[] {
  return texts.reduce<string[]>((lines, text) => {
    const line = `${lines.at(-1)} ${text}`;
    return lines.length > 0 && line.length <= maxLine
      ? [...lines.slice(0, -1), line]
      : [...lines, `  ${text}`];
  }, []);
}

/** A result that may be missing is in the description; only an editor needs to know what is read-only. */
function shown(source: string): string {
  return source.replace(/ \| undefined$/, "").replaceAll(/\breadonly /g, "")
    .replaceAll(/\bReadonly<(Record<\w+, \w+>)>/g, "$1");
}

/** Whether a member has a name to call it by: one that ends with a block has a symbol. */
function isNamed({ name }: KitMember): boolean {
  return /^\w+$/.test(name);
}

/** Returns the members of an interface, with those of the interfaces that it extends. */
function membersOf(kit: Kit, name: string): KitMember[] {
  const { members = [], parents = [] } = kit.get(name) ?? {};
  return [...members, ...parents.flatMap((parent) => membersOf(kit, parent))];
}

/** Returns the types that members refer to, directly or through each other. */
function typesBehind(kit: Kit, members: readonly KitMember[]): KitExport[] {
  const typesIn = (source: string) =>
    (source.match(/\b[A-Z]\w+/g) ?? []).filter((name) => name !== root && !elsewhere.test(name))
      .flatMap((name) => kit.get(name) ?? []);
  const found = reachable(
    members.flatMap(({ source }) => typesIn(source)),
    (type) => typesIn(declarationOf(type).replace(/^(\/\/|\w+) \w+/, "")),
  );
  return [...found].sort((a, b) => a.name < b.name ? -1 : 1);
}
