import { reachable } from "./files.ts";
import type { CodeFile } from "./split_code.ts";

/** What a lab for tests first needs a module for: its first token, a login, or neither. */
export type Need = "token" | "login" | "rare";

/** An entry, with the files that it loads at once and those that it may load later. */
interface Closure {
  name: string;
  isProgram: boolean;
  atOnce: ReadonlySet<CodeFile>;
  everything: ReadonlySet<CodeFile>;
}

/**
 * Groups modules by the smallest entry that loads them at once, the smallest that may load them
 * later, whether others load them, too, and what a lab needs them for. Whatever loads a module
 * loads its imports, so theirs is never the larger entry: a module imports only from groups before
 * its own, and no group imports from itself by way of another. A module that no entry loads at once
 * has no group, and neither has the program. Returns the name of a module's group, by its path.
 */
export function findGroups(
  files: readonly CodeFile[],
  library: readonly string[],
  main: string,
  needs: ReadonlyMap<string, Need>,
): ReadonlyMap<string, string> {
  const closures = [...library, main].map((name) => closureOf(name, name === main, files))
    .sort((a, b) => sizeOf(a.atOnce) - sizeOf(b.atOnce));
  const names = new Map<string, string>();
  const groups = new Map<string, string>();
  for (const file of files) {
    const [path] = file.modules;
    const loading = closures.filter(({ atOnce }) => atOnce.has(file));
    const [first, ...others] = loading;
    if (!first || path === undefined || file.name === main) continue;
    // What the program loads at once may be what a library loads later: it is none of its own.
    const reached = closures.find(({ isProgram, everything }) =>
      !isProgram && everything.has(file)
    );
    const isShared = others.some(({ isProgram }) => !isProgram);
    const isOfLab = loading.some(({ name }) => name === "testing");
    const isOfProgram = loading.some(({ isProgram }) => isProgram);
    const need = isOfLab && !isOfProgram ? needs.get(path) ?? "rare" : "token";
    const key = [first.name, reached?.name, isShared, need].join();
    const name = names.get(key) ?? nameOf(first.name, need, [...names.values()]);
    names.set(key, name);
    groups.set(path, name);
  }
  return groups;
}

/** Returns a name that shows in a stack trace which entry loads a file, and when. */
function nameOf(entry: string, need: Need, others: readonly string[]): string {
  const start = need === "token" ? `for-${entry}` : `${need}-for-${entry}`;
  const count = others.filter((name) => name.startsWith(start)).length;
  return count === 0 ? start : `${start}-${count + 1}`;
}

/** Finds what an entry loads. */
function closureOf(entry: string, isProgram: boolean, files: readonly CodeFile[]): Closure {
  const atOnce = loadedAtOnce([entry], files);
  // The program loads everything, some day: that would keep nothing apart.
  const everything = isProgram ? atOnce : loadedAtAll([entry], files);
  return { name: entry.replace(/\.js$/, ""), isProgram, atOnce, everything };
}

/** Returns files with all that is loaded at once with them. */
export function loadedAtOnce(names: readonly string[], files: readonly CodeFile[]): Set<CodeFile> {
  return loadedBy(names, files, ({ imports }) => imports);
}

/** Returns files with all that they load, at once or later. */
export function loadedAtAll(names: readonly string[], files: readonly CodeFile[]): Set<CodeFile> {
  return loadedBy(names, files, ({ imports, importsLater }) => [...imports, ...importsLater]);
}

function loadedBy(
  names: readonly string[],
  files: readonly CodeFile[],
  importsOf: (file: CodeFile) => readonly string[],
): Set<CodeFile> {
  const byName = new Map(files.map((file) => [file.name, file]));
  const named = (some: readonly string[]) => some.flatMap((name) => byName.get(name) ?? []);
  return reachable(named(names), (file) => named(importsOf(file)));
}

function sizeOf(files: ReadonlySet<CodeFile>): number {
  return [...files].reduce((sum, { text }) => sum + text.length, 0);
}
