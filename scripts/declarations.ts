import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { runCommand } from "./child.ts";
import {
  type DeclarationFile,
  declarationPath,
  isExported,
  type NameSource,
  printDeclarationFile,
  readDeclarationFile,
  resolveTarget,
  withoutComments,
} from "./declaration_file.ts";

const minute = 60_000;

/** The TypeScript compiler, which npx fetches on demand. */
export const compiler: readonly string[] = ["npx", "-y", "-p", "typescript@7", "--", "tsc"];

const compilerOptions = [
  "--ignoreConfig --noCheck --declaration --emitDeclarationOnly --allowImportingTsExtensions",
  "--resolveJsonModule --module esnext --moduleResolution bundler --target esnext",
  "--jsx react-jsx --jsxImportSource preact --rootDir src",
].join(" ").split(" ");

/**
 * Writes the types of the package into a folder, laid out as in `src`: everything that can be
 * reached from the entry points, types of other packages included. A user needs no other package.
 */
export async function writeDeclarations(entryPoints: string[], folder: string): Promise<void> {
  const work = join(process.cwd(), ".build", `types-${process.pid}`);
  try {
    await compile(entryPoints, work);
    const entries = entryPoints.map((entry) => join(work, declarationPath(relative("src", entry))));
    const pathOf = (file: string) => join(folder, relativePath(work, file));
    for (const [source, file] of reachFrom(entries)) {
      const path = pathOf(source);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(
        path,
        printDeclarationFile(file, source, (other) => specifierOf(path, pathOf(other))),
      );
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function compile(entryPoints: string[], outDir: string): Promise<void> {
  const command = [...compiler, ...compilerOptions, "--outDir", outDir, ...entryPoints];
  const { code, output } = await runCommand(command, { timeout: 5 * minute });
  if (code !== 0) throw new Error(`Cannot compile the declarations: ${output}`);
}

/** Returns the files that the exports of the entry points need, with the names that they need. */
function reachFrom(entries: readonly string[]): Map<string, DeclarationFile> {
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
    const { exports, stars, reached } = open(path);
    const source = exports.get(name);
    if (source) reached.exports.add(name);
    if (source && source.from !== path) return reachExport(source.from, source.name);
    const star = source ? undefined : stars.find((each) => exportsOf(each).includes(name));
    return star ? reachExport(star, name) : reachLocal(path, source?.name ?? name);
  }

  function reachLocal(path: string, name: string): NameSource {
    const { imports, declarations, reached } = open(path);
    const isNew = !reached.locals.has(name);
    reached.locals.add(name);
    const source = imports.get(name);
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
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) {
      const isDeclared = declarations.some(({ name }) => name === word);
      if (isDeclared || imports.has(word)) reachLocal(path, word);
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

/** Returns the path below the folder of types: that of our source, or below `packages`. */
function relativePath(work: string, file: string): string {
  if (file.startsWith(work)) return relative(work, file);
  return join("packages", file.replace(/^.*node_modules\//, ""));
}

function specifierOf(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}
