/** Reads the exports of a module, as `deno doc` finds them and as their sources write them. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { succeed } from "../child.ts";

/** An exported function, class, interface or type. */
export interface KitExport {
  name: string;
  kind: "class" | "function" | "interface" | "typeAlias";
  /** As the source declares it, in one line. */
  source: string;
  description: string;
  /** Of an interface or a class: what it extends, and its own members. */
  parents: string[];
  members: KitMember[];
}

/** A member of an interface. */
export interface KitMember {
  name: string;
  /** As the source declares it, in one line: `mint(options: MintOptions): Promise<MintedTokens>`. */
  source: string;
  description: string;
}

interface DocNode {
  name: string;
  location: { filename: string; byteIndex: number };
  jsDoc?: { doc?: string };
  /** Of a member of a class that others cannot use. */
  accessibility?: "private" | "protected";
}

interface DocDeclaration extends Omit<DocNode, "name"> {
  kind: KitExport["kind"];
  def: { methods?: DocNode[]; properties?: DocNode[] };
}

/** Reads all exports of a module, by name. */
export async function readKit(file: string): Promise<ReadonlyMap<string, KitExport>> {
  const symbols = await readDoc<DocDeclaration>([file]);
  return new Map(symbols.map(([name, declaration]) => [name, readExport(name, declaration)]));
}

/** Returns what modules export, each with its first declaration as `deno doc` has it. */
export async function readDoc<Declaration>(
  files: readonly string[],
): Promise<Array<[name: string, Declaration]>> {
  type Module = { symbols: Array<{ name: string; declarations: [Declaration] }> };
  const output = await succeed([process.execPath, "doc", "--quiet", "--json", ...files]);
  const { nodes } = JSON.parse(output.slice(output.indexOf("{")));
  return Object.values<Module>(nodes).flatMap(({ symbols }) =>
    symbols.map(({ name, declarations: [first] }): [string, Declaration] => [name, first])
  );
}

function readExport(name: string, declaration: DocDeclaration): KitExport {
  const { kind, def } = declaration;
  const source = sourceOf(declaration);
  const [, parents = ""] = /^export interface [^{]*? extends (.*)$/.exec(source) ?? [];
  const hasMembers = kind === "interface" || kind === "class";
  const members = hasMembers
    ? [...def.methods ?? [], ...def.properties ?? []].filter(({ accessibility }) => !accessibility)
    : [];
  return {
    name,
    kind,
    source,
    description: textOf(declaration),
    parents: splitTypes(parents),
    members: members.map((member) => ({
      name: member.name,
      source: sourceOf(member),
      description: textOf(member),
    })),
  };
}

function textOf({ jsDoc }: Pick<DocNode, "jsDoc">): string {
  return (jsDoc?.doc ?? "").trim().split("\n\n", 1)[0]?.replace(/\s+/g, " ") ?? "";
}

/** Returns a declaration without comments, up to its end or the block that it opens, in one line. */
function sourceOf({ location }: Pick<DocNode, "location">): string {
  const bytes = readFileSync(fileURLToPath(location.filename));
  const rest = bytes.subarray(location.byteIndex).toString().replace(/\/\*\*.*?\*\//gs, "");
  const text = rest.slice(0, endOf(rest)).replace(/\s+/g, " ").trim();
  return text.replace("( ", "(").replace(", )", ")");
}

/** Finds the semicolon, or the block, that ends a declaration. */
function endOf(text: string): number {
  const isBlock = /^export (async function|function|interface|class)/.test(text);
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    if (depth === 0 && (character === ";" || character === "{" && isBlock)) return at;
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
  }
  return text.length;
}

/** Splits a list of types at the commas between them. */
function splitTypes(text: string): string[] {
  return text.split(/, (?![^<]*>)/).map((type) => type.trim()).filter(Boolean);
}
