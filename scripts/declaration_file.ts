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
  exports: Set<string>;
  /** Names that an entry point exports; they keep their comments. */
  documented: Set<string>;
}

/** Statements of the compiler's output begin at the margin. */
const statementStart = /\n(?=\/\*\*|(?<!\*\/\n)(?:import|export|declare|type|interface) )/;
const importOrExport =
  /^(?<verb>import|export) (?:type )?(?:\{(?<list>[^}]*)\}|\*)(?: from ["'](?<target>[^"']+)["'])?;?$/;
const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|const|function)\s+([\w$]+)/;

/** Reads a `.d.ts` file of the compiler or of a package. */
export function readDeclarationFile(path: string): DeclarationFile {
  const file: DeclarationFile = {
    imports: new Map(),
    exports: new Map(),
    stars: [],
    declarations: [],
    reached: { locals: new Set(), exports: new Set(), documented: new Set() },
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

/** Prints what was reached of a file. */
export function printDeclarationFile(
  file: DeclarationFile,
  path: string,
  specifierOf: (other: string) => string,
): string {
  const { reached } = file;
  const bodies = file.declarations
    .filter(({ name }) => reached.locals.has(name))
    .map(({ name, text }) => reached.documented.has(name) ? text : withoutComments(text).trim());
  const specifier = (from: string) => from === path ? "" : ` from "${specifierOf(from)}"`;
  const lines = [
    ...printNames("import", file.imports, reached.locals, specifier),
    ...printNames("export", file.exports, reached.exports, specifier),
    ...bodies,
    "",
  ];
  return lines.join("\n").replaceAll("    ", "  ");
}

function printNames(
  verb: "import" | "export",
  names: ReadonlyMap<string, NameSource>,
  used: ReadonlySet<string>,
  specifier: (from: string) => string,
): string[] {
  const usedNames = [...names].filter(([alias]) => used.has(alias));
  const byFile = Map.groupBy(usedNames, ([, { from }]) => from);
  return [...byFile].map(([from, entries]) => {
    const list = entries.map(([alias, { name }]) => name === alias ? name : `${name} as ${alias}`);
    return `${verb} { ${list.join(", ")} }${specifier(from)};`;
  });
}

/** Removes the block comments of a text. */
export function withoutComments(text: string): string {
  return text.replace(/\n?[ ]*\/\*[\s\S]*?\*\//g, "");
}
