/**
 * Writes the types of a package: of what the compiler declares, as much as can be reached from the entry points, and of the packages
 * that they mention likewise. Whoever reads them needs no other package.
 */
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { runCommand } from "./child.ts";

/** A name in another file, or in the same one. */
interface Source {
  from: string;
  name: string;
}

interface Declaration {
  text: string;
  name: string;
}

/** What a file of declarations says. */
interface Declared {
  imports: Map<string, Source>;
  exports: Map<string, Source>;
  /** Files all of whose exports are passed on. */
  stars: string[];
  declarations: Declaration[];
  /** What of it can be reached; what an entry point exports keeps its comments. */
  reached: { locals: Set<string>; exports: Set<string>; documented: Set<string> };
}

/** The compiler of types, which is fetched when it is asked for. */
export const compiler = ["npx", "-y", "-p", "typescript@7", "--", "tsc"];
const options =
  "--ignoreConfig --noCheck --declaration --emitDeclarationOnly --allowImportingTsExtensions --resolveJsonModule " +
  "--module esnext --moduleResolution bundler --target esnext --jsx react-jsx --jsxImportSource preact --rootDir src";

/** Writes them into a folder, below which they lie as the sources do below `src`. */
export async function writeDeclarations(entryPoints: string[], folder: string): Promise<void> {
  const work = join(process.cwd(), ".build", `types-${process.pid}`);
  try {
    await compile(entryPoints, work);
    const files = reach(
      entryPoints.map((entry) => join(work, declarationsOf(relative("src", entry)))),
    );
    const place = (file: string) => join(folder, placeOf(work, file));
    for (const [file, declared] of files) {
      await mkdir(dirname(place(file)), { recursive: true });
      await writeFile(
        place(file),
        print(declared, file, (other) => specifier(place(file), place(other))),
      );
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function compile(entryPoints: string[], outDir: string): Promise<void> {
  const { code, output } = await runCommand([
    ...compiler,
    ...options.split(" "),
    "--outDir",
    outDir,
    ...entryPoints,
  ], { timeout: 300_000 });
  if (code !== 0) throw new Error(`The compiler cannot declare the types: ${output}`);
}

/** Reads what can be reached from the exports of some files. */
function reach(entries: string[]): Map<string, Declared> {
  const files = new Map<string, Declared>();

  function open(file: string): Declared {
    const declared = files.get(file) ?? parse(readFileSync(file, "utf8"), file);
    files.set(file, declared);
    return declared;
  }

  function exportsOf(file: string): string[] {
    const { exports, stars, declarations } = open(file);
    const own = declarations.filter(({ text }) => isExported(text)).map(({ name }) => name);
    return [...own, ...exports.keys(), ...stars.flatMap(exportsOf)];
  }

  /** Goes where an exported name is declared, and says where that is. */
  function reachExport(file: string, name: string): Source {
    const { exports, stars, reached } = open(file);
    const source = exports.get(name);
    if (source) reached.exports.add(name);
    if (source && source.from !== file) return reachExport(source.from, source.name);
    const star = source ? undefined : stars.find((each) => exportsOf(each).includes(name));
    return star ? reachExport(star, name) : reachLocal(file, source?.name ?? name);
  }

  function reachLocal(file: string, name: string): Source {
    const { imports, declarations, reached } = open(file);
    const source = imports.get(name);
    const isNew = !reached.locals.has(name);
    reached.locals.add(name);
    if (source) return reachExport(source.from, source.name);
    const meant = declarations.filter((each) => each.name === name);
    if (meant.length === 0) {
      throw new Error(`The types cannot be followed: there is no ${name} in ${file}`);
    }
    if (isNew) { for (const { text } of meant) reachWords(file, withoutComments(text)); }
    return { from: file, name };
  }

  function reachWords(file: string, text: string): void {
    const { imports, declarations } = open(file);
    for (const [, target, member] of text.matchAll(/import\("([^"]+)"\)\.(\w+)/g)) {
      reachExport(resolve(file, target), member);
    }
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) {
      if (imports.has(word) || declarations.some((each) => each.name === word)) {
        reachLocal(file, word);
      }
    }
  }

  for (const entry of entries) {
    for (const exported of exportsOf(entry)) {
      const { from, name } = reachExport(entry, exported);
      open(from).reached.documented.add(name);
    }
  }
  return new Map(
    [...files].filter(([, { reached }]) => reached.locals.size + reached.exports.size > 0),
  );
}

/** A declaration file of the compiler is a row of statements, each of which begins at the margin. */
function parse(text: string, file: string): Declared {
  const declared: Declared = {
    imports: new Map(),
    exports: new Map(),
    stars: [],
    declarations: [],
    reached: { locals: new Set(), exports: new Set(), documented: new Set() },
  };
  for (
    const statement of text.split(
      /\n(?=\/\*\*|(?<!\*\/\n)(?:import|export|declare|type|interface) )/,
    )
  ) {
    const code = withoutComments(statement).trim();
    const [, verb, list, , target] =
      /^(import|export) (?:type )?(?:\{([^}]*)\}|(\*))(?: from ["']([^"']+)["'])?;?$/.exec(code) ??
        [];
    const from = target === undefined ? file : resolve(file, target);
    if (verb && list === undefined) declared.stars.push(from);
    else if (verb) {
      for (const [name, local] of namesIn(list)) {
        if (verb === "import") declared.imports.set(local, { from, name });
        else declared.exports.set(local, { from, name });
      }
    } else declared.declarations.push({ text: statement.trim(), name: nameOf(code) });
  }
  return declared;
}

/** "A, type B as C": each name there, and here. */
function namesIn(list: string): Array<[name: string, local: string]> {
  return list.split(",").map((each) => each.trim().replace(/^type /, "")).filter(Boolean).map(
    (each) => {
      const [name, local = name] = each.split(" as ");
      return [name, local];
    },
  );
}

/** A statement that declares nothing has no name, and cannot be reached. */
function nameOf(code: string): string {
  return /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|const|function)\s+([\w$]+)/
    .exec(code)?.[1] ?? "";
}

function isExported(text: string): boolean {
  return withoutComments(text).trim().startsWith("export ");
}

function print(
  { imports, exports, declarations, reached }: Declared,
  file: string,
  specifierOf: (other: string) => string,
): string {
  const line = (verb: string, names: Map<string, Source>, used: Set<string>) => {
    const byFile = Map.groupBy(
      [...names].filter(([local]) => used.has(local)),
      ([, { from }]) => from,
    );
    return [...byFile].map(([from, all]) => {
      const list = all.map(([local, { name }]) => name === local ? name : `${name} as ${local}`)
        .join(", ");
      return `${verb} { ${list} }${from === file ? "" : ` from "${specifierOf(from)}"`};`;
    });
  };
  const bodies = declarations.filter(({ name }) => reached.locals.has(name)).map(({ name, text }) =>
    reached.documented.has(name) ? text : withoutComments(text).trim()
  );
  const lines = [
    ...line("import", imports, reached.locals),
    ...line("export", exports, reached.exports),
    ...bodies,
    "",
  ];
  return lines.join("\n").replaceAll("    ", "  ");
}

function resolve(file: string, target: string): string {
  if (target.startsWith(".")) return join(dirname(file), declarationsOf(target));
  const folder = join(process.cwd(), "node_modules", target);
  const { exports, types } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, exports?.["."]?.types ?? types);
}

function declarationsOf(file: string): string {
  return `${file.replace(/(?:\.d)?\.[jt]sx?$/, "")}.d.ts`;
}

function placeOf(work: string, file: string): string {
  return file.startsWith(work)
    ? relative(work, file)
    : join("packages", file.replace(/^.*node_modules\//, ""));
}

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

function withoutComments(text: string): string {
  return text.replace(/\n?[ ]*\/\*[\s\S]*?\*\//g, "");
}
