import { basename } from "node:path";
import { type CodeFile, importStatements } from "./code_file.ts";

/** Chunks that become one file. */
export interface Group {
  path: string;
  chunks: CodeFile[];
}

/** An entry, with the files that it loads at once and those that it may load later. */
interface Closure {
  name: string;
  isProgram: boolean;
  atOnce: ReadonlySet<CodeFile>;
  everything: ReadonlySet<CodeFile>;
}

/**
 * Groups chunks by the smallest entry that loads them at once, the smallest that may load them
 * later, and whether others load them, too. Whatever loads a chunk loads its imports, so theirs is
 * never the larger entry: a chunk imports only from groups before its own, and no group imports
 * from itself by way of another.
 */
export function findGroups(files: readonly CodeFile[]): Group[] {
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
