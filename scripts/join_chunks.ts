import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "./bundle.ts";

/** One file of the package, as esbuild made it. */
export interface CodeFile {
  path: string;
  text: string;
  exports: readonly string[];
  /** Whether it is what an import of the package names, or the program. */
  isEntry: boolean;
  /** Whether only the program loads it. */
  isProgram: boolean;
  /** Whether it holds code of the lab, which people step through in a debugger. */
  isReadable: boolean;
  /** Whether only other files of the package import from it, and statically. */
  isShared: boolean;
}

/** Chunks that become one file. */
interface Group {
  path: string;
  chunks: CodeFile[];
}

/** The file that a chunk goes to, and the suffix of what it exports there. */
interface Home {
  path: string;
  suffix: string;
}

/** An entry, with the files that it loads at once and those that it may load later. */
interface Closure {
  name: string;
  isProgram: boolean;
  atOnce: ReadonlySet<CodeFile>;
  everything: ReadonlySet<CodeFile>;
}

/** What Node has to understand. */
export const target = "node20.19";

const importStatement = /^import \{([^}]*)\} from "(\.[^"]*)";\n/gm;
/** What starts the path of an import from another group. */
const outside = "outside:";
/** esbuild puts it before each source. */
const pathComment = /^\/\/ (?=(?:src|static|packages)\/)/gm;

/**
 * Joins the chunks that are loaded together. esbuild makes one for each set of entry points and
 * dynamic imports that share code: some two hundred, and a process spends a third of its way to the
 * first token with finding and opening them.
 *
 * Each chunk goes to the smallest entry that loads it, so that no entry loads what only a larger
 * one needs. What loads only when it is used stays in files of its own.
 */
export function joinChunks(files: readonly CodeFile[], work: string): CodeFile[] {
  const groups = findGroups(files);
  const homes = findHomes(groups);
  const joined = groups.map((group) => joinGroup(group, files, homes, work));
  const apart = files.filter(({ path }) => !homes.has(basename(path)));
  return [...apart, ...joined].map((file) => ({ ...file, text: withHomes(file.text, homes) }));
}

/**
 * Groups chunks by the smallest entry that loads them at once, the smallest that may load them
 * later, and whether others load them, too. A chunk imports only from groups before its own, so no
 * group imports from itself by way of another.
 */
function findGroups(files: readonly CodeFile[]): Group[] {
  const closures = findClosures(files);
  const groups = new Map<string, Group>();
  for (const chunk of files.filter(({ isShared }) => isShared)) {
    const [first, ...others] = closures.filter(({ atOnce }) => atOnce.has(chunk));
    if (!first) continue;
    const reached = closures.find(({ everything }) => everything.has(chunk));
    const key = [first.name, reached?.name, others.some(({ isProgram }) => !isProgram)].join();
    const group = groups.get(key) ?? { path: pathOf(first.name, groups), chunks: [] };
    groups.set(key, { ...group, chunks: [...group.chunks, chunk] });
  }
  return [...groups.values()];
}

/** Returns a path that tells in a stack trace for which entry a file is loaded. */
function pathOf(name: string, groups: ReadonlyMap<string, Group>): string {
  const start = `chunks/for-${name}`;
  const count = [...groups.values()].filter(({ path }) => path.startsWith(start)).length;
  return count === 0 ? `${start}.js` : `${start}-${count + 1}.js`;
}

/** Finds what each entry loads, those that load least first. */
function findClosures(files: readonly CodeFile[]): Closure[] {
  const byName = new Map(files.map((file) => [basename(file.path), file]));
  const filesAt = (paths: readonly string[]) =>
    paths.map((path) => byName.get(basename(path))).filter((file) => file !== undefined);
  const closureOf = (file: CodeFile, pathsIn: (file: CodeFile) => string[]) => {
    const found = new Set([file]);
    // The loop comes to those that it adds, too.
    for (const one of found) for (const other of filesAt(pathsIn(one))) found.add(other);
    return found;
  };
  return files.filter(({ isEntry }) => isEntry).map((file) => {
    const atOnce = closureOf(file, importsOf);
    // The program loads everything, some day: that would keep nothing apart.
    const everything = file.isProgram ? atOnce : closureOf(file, allImportsOf);
    const { path, isProgram } = file;
    return { name: basename(path, ".js"), isProgram, atOnce, everything };
  }).sort((a, b) => sizeOf(a.atOnce) - sizeOf(b.atOnce));
}

function importsOf(file: CodeFile): string[] {
  return importStatements(file).map(([, , path = ""]) => path);
}

function allImportsOf(file: CodeFile): string[] {
  const dynamic = [...file.text.matchAll(/\bimport\("(\.[^"]*)"\)/g)];
  return [...importsOf(file), ...dynamic.map(([, path = ""]) => path)];
}

function sizeOf(files: ReadonlySet<CodeFile>): number {
  return [...files].reduce((sum, { isShared, text }) => isShared ? sum + text.length : sum, 0);
}

function findHomes(groups: readonly Group[]): Map<string, Home> {
  const members = groups.flatMap(({ path, chunks }) => chunks.map((chunk) => ({ path, chunk })));
  return new Map(
    members.map(({ path, chunk }, at) => [basename(chunk.path), { path, suffix: `$${at}` }]),
  );
}

function joinGroup(
  { path, chunks }: Group,
  files: readonly CodeFile[],
  homes: ReadonlyMap<string, Home>,
  work: string,
): CodeFile {
  const folder = join(work, basename(path, ".js"));
  writeChunks(chunks, folder);
  const used = namesUsed(files.filter((file) => !chunks.includes(file)));
  const exported = chunks.flatMap((chunk) => {
    const file = basename(chunk.path);
    const names = chunk.exports.filter((name) => used.get(file)?.has(name));
    return names.map((name) => ({ file, name, as: `${name}${homes.get(file)?.suffix}` }));
  });
  const lines = exported.map(({ file, name, as }) =>
    `export { ${name} as ${as} } from "./${file}";`
  );
  writeFileSync(join(folder, path), lines.join("\n"));
  return {
    ...chunks[0]!,
    path,
    text: bundleGroup(folder, path, files),
    exports: exported.map(({ as }) => as),
    isReadable: chunks.some(({ isReadable }) => isReadable),
  };
}

/**
 * Writes what is bundled once more. What it imports from other groups, it imports by way of files
 * that pass it on: esbuild gives each import from outside a name of its own, and `isObject7` is
 * hard to read.
 */
function writeChunks(chunks: readonly CodeFile[], folder: string): void {
  const own = new Set(chunks.map(({ path }) => basename(path)));
  for (const name of ["chunks", "outside"]) mkdirSync(join(folder, name), { recursive: true });
  for (const { path, text } of chunks) {
    const code = text.replace(importStatement, (statement, list: string, from: string) => {
      const name = basename(from);
      return own.has(name) ? statement : `import {${list}} from "../outside/${name}";\n`;
    });
    // The comments with the paths of sources are needed once more.
    writeFileSync(join(folder, path), code.replace(pathComment, "//! "));
  }
  for (const [name, names] of namesUsed(chunks)) {
    const passedOn = `export { ${[...names].join(", ")} } from "${outside}${name}";`;
    writeFileSync(join(folder, "outside", name), passedOn);
  }
}

/** Returns the names that files import from each file. */
function namesUsed(files: readonly CodeFile[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const [, list = "", path = ""] of files.flatMap(importStatements)) {
    const names = used.get(basename(path)) ?? new Set();
    used.set(basename(path), names);
    for (const { name } of namesIn(list)) names.add(name);
  }
  return used;
}

function importStatements({ text }: CodeFile): RegExpExecArray[] {
  return [...text.matchAll(importStatement)];
}

/** Returns the names in `a, b as c`. */
function namesIn(list: string): Array<{ name: string; as: string }> {
  return [...list.matchAll(/([\w$]+)(?: as ([\w$]+))?/g)].map(([, name = "", as = name]) => ({
    name,
    as,
  }));
}

function bundleGroup(folder: string, path: string, files: readonly CodeFile[]): string {
  const later = files.filter(({ isShared }) => !isShared).map((file) => join(folder, file.path));
  const { outputFiles: [file] = [] } = bundle({
    entryPoints: [join(folder, path)],
    outdir: dirname(join(folder, path)),
    external: [...optionalPackages, `${outside}*`, ...later],
    legalComments: "inline",
    target,
    write: false,
  });
  const ownComment = new RegExp(`^// ${relative(process.cwd(), folder)}/.*\\n`, "gm");
  return file!.text
    .replace(ownComment, "")
    .replace(/^\/\/! /gm, "// ")
    .replaceAll(`"${outside}`, '"./');
}

/** Imports from the joined files what was in chunks, with one statement for each file. */
function withHomes(text: string, homes: ReadonlyMap<string, Home>): string {
  const lists = new Map<string, string[]>();
  const rest = text.replace(importStatement, (statement, list: string, path: string) => {
    const home = homes.get(basename(path));
    if (!home) return statement;
    const from = join(dirname(path), basename(home.path));
    const names = namesIn(list).map(({ name, as }) => `${name}${home.suffix} as ${as}`);
    lists.set(from, [...lists.get(from) ?? [], ...names]);
    return "";
  });
  const statements = [...lists].map(([from, names]) =>
    `import { ${names.join(", ")} } from "./${from}";\n`
  );
  return statements.join("") + rest;
}
