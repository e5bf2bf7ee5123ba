import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** A name that another file declares, or the same one. */
export interface NameSource {
  from: string;
  name: string;
}

/** A statement that declares a name. */
export interface Declaration {
  text: string;
  name: string;
}

/** A parsed `.d.ts` file. */
export interface DeclarationFile {
  /** Whether it is ours, and not one of another package. */
  isOwn: boolean;
  imports: Map<string, NameSource>;
  exports: Map<string, NameSource>;
  /** Files whose exports are all exported again. */
  stars: string[];
  declarations: Declaration[];
  reached: ReachedNames;
}

/** The names of a file that an entry point needs. */
export interface ReachedNames {
  locals: Set<string>;
  /** Names that an entry point exports; they keep their comments. */
  documented: Set<string>;
}

/** Statements of the compiler's output begin at the margin, as the first comment in a type does. */
const statementStart = /(?<!= ?)\n(?=\/\*\*|(?<!\*\/\n)(?:import|export|declare|type|interface) )/;
const importOrExport =
  /^(?<verb>import|export) (?:type )?(?:\{(?<list>[^}]*)\}|\*)(?: from ["'](?<target>[^"']+)["'])?;?$/;
const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|const|function)\s+([\w$]+)/;

/** Reads a `.d.ts` file of the compiler or of a package. */
export function readDeclarationFile(path: string): DeclarationFile {
  const file: DeclarationFile = {
    isOwn: !path.includes("node_modules"),
    imports: new Map(),
    exports: new Map(),
    stars: [],
    declarations: [],
    reached: { locals: new Set(), documented: new Set() },
  };
  for (const statement of readFileSync(path, "utf8").split(statementStart)) {
    addStatement(file, statement, path);
  }
  return file;
}

function addStatement(file: DeclarationFile, statement: string, path: string): void {
  const code = withoutComments(statement).trim();
  const { verb, list, target } = importOrExport.exec(code)?.groups ?? {};
  if (verb === undefined) {
    file.declarations.push({ text: statement.trim(), name: declaration.exec(code)?.[1] ?? "" });
    return;
  }
  const from = target === undefined ? path : resolveTarget(path, target);
  if (list === undefined) {
    file.stars.push(from);
    return;
  }
  for (const { name, alias } of namesIn(list)) {
    if (verb === "import") file.imports.set(alias, { from, name });
    else file.exports.set(alias, { from, name });
  }
}

/** Parses "A, type B as C". */
function namesIn(list: string): Array<{ name: string; alias: string }> {
  const entries = list.split(",").map((entry) => entry.trim().replace(/^type /, ""));
  return entries.filter(Boolean).map((entry) => {
    const [name = "", alias = name] = entry.split(" as ");
    return { name, alias };
  });
}

/** Returns whether a declaration is exported where it stands. */
export function isExported({ text }: Declaration): boolean {
  return withoutComments(text).trim().startsWith("export ");
}

/** Returns the declaration file behind the target of an import. */
export function resolveTarget(file: string, target: string): string {
  if (target.startsWith(".")) return join(dirname(file), declarationPath(target));
  const folder = join(process.cwd(), "node_modules", target);
  const { exports, types } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, exports?.["."]?.types ?? types);
}

/** Returns the path of the declarations for a source file. */
export function declarationPath(file: string): string {
  return `${file.replace(/(?:\.d)?\.[jt]sx?$/, "")}.d.ts`;
}

/**
 * Prints the declarations that were reached in a file. Those that an entry point exports keep their
 * comments, if they are ours.
 */
export function printDeclarations({ isOwn, declarations, reached }: DeclarationFile): string {
  const isDocumented = (name: string) => isOwn && reached.documented.has(name);
  return declarations
    .filter(({ name }) => reached.locals.has(name))
    .map(({ name, text }) => compact(isDocumented(name) ? text : withoutComments(text).trim()))
    .join("\n");
}

/** Shortens the text of a declaration: names instead of imports, tabs, longer comment lines. */
function compact(text: string): string {
  return text
    .replaceAll(/import\("[^"]+"\)\./g, "")
    .replaceAll("@hallpass/hallpass", "hallpass")
    // Before TypeScript 5.7, it has no type parameter.
    .replaceAll("Uint8Array<ArrayBuffer>", "Uint8Array")
    .replace(/^( *)\/\*\*(?:(?!\*\/|```)[\s\S])*\*\//gm, compactComment)
    .replace(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

/** Joins the lines of each paragraph, and of each tag. */
function compactComment(comment: string, indent: string): string {
  const lines = comment.trim().slice(3, -2).split("\n").map((line) => line.replace(/^[\s*]+/, ""));
  const paragraphs = lines.join("\n").trim().split(/\n\n|\n(?=@)/);
  const text = paragraphs.map((paragraph) => paragraph.replaceAll("\n", " "));
  return `${indent}/** ${text.join(`\n${indent} * `)} */`;
}

/** Removes the block comments of a text. */
export function withoutComments(text: string): string {
  return text.replace(/\n?[ ]*\/\*[\s\S]*?\*\//g, "");
}
