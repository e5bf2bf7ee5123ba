import { rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { succeed } from "./child.ts";
import {
  type DeclarationFile,
  declarationPath,
  isExported,
  type NameSource,
  printDeclarations,
  readDeclarationFile,
  resolveTarget,
  withoutComments,
} from "./declaration_file.ts";

/** The TypeScript compiler, which npx fetches on demand. */
export const compiler: readonly string[] = ["npx", "-y", "-p", "typescript@7.0.2", "--", "tsc"];

const compilerOptions = [
  "--ignoreConfig --noCheck --declaration --emitDeclarationOnly --allowImportingTsExtensions",
  "--resolveJsonModule --module esnext --moduleResolution bundler --target esnext",
  "--jsx react-jsx --jsxImportSource preact --rootDir src",
].join(" ").split(" ");

/** What an import of the package loads: "serve" is `hallpass/serve`. */
interface Entry {
  name: string;
  source: string;
}

/** The types that an entry point exports, by the names that they have outside. */
type Exports = Map<string, NameSource>;

/**
 * Writes the types of the package into a folder: one file with everything that can be reached from
 * the entry points, types of other packages included, and one for each entry point that exports its
 * part of them. A user needs no other package.
 */
export async function writeDeclarations(entries: readonly Entry[], folder: string): Promise<void> {
  const work = join(process.cwd(), ".build", `types-${process.pid}`);
  try {
    await compile(entries.map(({ source }) => source), work);
    const paths = entries.map(({ source }) => join(work, declarationPath(relative("src", source))));
    const { files, exports } = reachFrom(paths);
    await writeFile(join(folder, "types.d.ts"), printAll(files));
    for (const [index, { name }] of entries.entries()) {
      const types = `${name.includes("/") ? ".." : "."}/types.js`;
      const exported = printExports(exports[index] ?? new Map(), types);
      await writeFile(join(folder, `${name}.d.ts`), exported);
      await writeFile(join(folder, `${name}.d.mts`), `export * from "./${basename(name)}.js";\n`);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function compile(entryPoints: string[], outDir: string): Promise<void> {
  await succeed([...compiler, ...compilerOptions, "--outDir", outDir, ...entryPoints]);
}

/** Returns the files that the exports of the entry points need, with the names that they need. */
function reachFrom(
  entries: readonly string[],
): { files: DeclarationFile[]; exports: Exports[] } {
  const files = new Map<string, DeclarationFile>();

  function open(path: string): DeclarationFile {
    const file = files.get(path) ?? readDeclarationFile(path);
    files.set(path, file);
    return file;
  }

  function exportsOf(path: string): string[] {
    const { exports, stars, declarations } = open(path);
    const own = declarations.filter(isExported).map(({ name }) => name);
    return [...own, ...exports.keys(), ...stars.flatMap(exportsOf)];
  }

  /** Follows an exported name to its declaration. */
  function reachExport(path: string, name: string): NameSource {
    const { exports, stars } = open(path);
    const source = exports.get(name);
    if (source && source.from !== path) return reachExport(source.from, source.name);
    const star = source ? undefined : stars.find((each) => exportsOf(each).includes(name));
    return star ? reachExport(star, name) : reachLocal(path, source?.name ?? name);
  }

  function reachLocal(path: string, name: string): NameSource {
    const { imports, declarations, reached } = open(path);
    const isNew = !reached.locals.has(name);
    reached.locals.add(name);
    const source = imports.get(name);
    if (source && source.name !== name) throw new Error(`Cannot rename ${source.name} in ${path}`);
    if (source) return reachExport(source.from, source.name);
    const found = declarations.filter((each) => each.name === name);
    if (found.length === 0) throw new Error(`Cannot find the type ${name} in ${path}`);
    if (isNew) { for (const { text } of found) reachNamesIn(path, withoutComments(text)); }
    return { from: path, name };
  }

  function reachNamesIn(path: string, text: string): void {
    const { imports, declarations } = open(path);
    for (const [, target = "", member = ""] of text.matchAll(/import\("([^"]+)"\)\.(\w+)/g)) {
      reachExport(resolveTarget(path, target), member);
    }
    // The name of a member or a parameter is none of a type.
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*(?![\w$]|\??[:(])/g))) {
      const isDeclared = declarations.some(({ name }) => name === word);
      if (isDeclared || imports.has(word)) reachLocal(path, word);
    }
  }

  function reachEntry(path: string): Exports {
    const exports: Exports = new Map();
    for (const exported of exportsOf(path)) {
      const source = reachExport(path, exported);
      open(source.from).reached.documented.add(source.name);
      exports.set(exported, source);
    }
    return exports;
  }

  const exports = entries.map(reachEntry);
  return { files: [...files.values()].filter(({ reached }) => reached.locals.size > 0), exports };
}

/** Prints all types in one file, where each name can mean one thing only. */
function printAll(files: readonly DeclarationFile[]): string {
  const names = files.flatMap((file) => namesDeclaredIn(file));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated) throw new Error(`Cannot write the types: two are named ${repeated}`);
  return `${files.map(printDeclarations).filter(Boolean).join("\n")}\n`;
}

function namesDeclaredIn({ declarations, reached }: DeclarationFile): string[] {
  const names = declarations.map(({ name }) => name).filter((name) => reached.locals.has(name));
  return [...new Set(names)];
}

function printExports(exports: Exports, types: string): string {
  const names = [...exports].map(([alias, { name }]) =>
    name === alias ? name : `${name} as ${alias}`
  );
  return `export { ${names.sort().join(", ")} } from "${types}";\n`;
}
