import type { CodeFile, Need } from "./code_files.ts";
import { reachable } from "./files.ts";

/** Chunks that become one file. */
export interface Group {
  file: string;
  /** Whether only the program loads it. */
  isProgram: boolean;
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
 * later, whether others load them, too, and what a lab needs them for. Whatever loads a chunk loads
 * its imports, so theirs is never the larger entry: a chunk imports only from groups before its
 * own, and no group imports from itself by way of another. A chunk that no entry loads at once
 * stays alone.
 */
export function findGroups(
  files: readonly CodeFile[],
  needs: ReadonlyMap<string, Need>,
): Group[] {
  const closures = findClosures(files);
  const needOf = (chunk: CodeFile): Need => {
    const loading = closures.filter(({ atOnce }) => atOnce.has(chunk));
    const isOfLab = loading.some(({ name }) => name === "testing");
    if (!isOfLab || loading.some(({ isProgram }) => isProgram)) return "token";
    return needs.get(chunk.name) ?? "rare";
  };
  const groups = new Map<string, Group>();
  for (const chunk of files.filter(({ kind }) => kind === "chunk")) {
    const [first, ...others] = closures.filter(({ atOnce }) => atOnce.has(chunk));
    // What the program loads at once may be what a library loads later: it is none of its own.
    const reached = closures.find(({ isProgram, everything }) =>
      !isProgram && everything.has(chunk)
    );
    const isShared = others.some(({ isProgram }) => !isProgram);
    const need = needOf(chunk);
    const key = first ? [first.name, reached?.name, isShared, need].join() : chunk.name;
    const isProgram = reached === undefined;
    const file = nameOf(first?.name ?? "later", need, groups);
    const group = groups.get(key) ?? { file, isProgram, chunks: [] };
    groups.set(key, { ...group, chunks: [...group.chunks, chunk] });
  }
  return [...groups.values()];
}

/** Returns whether only the program loads a file, at once or later. */
export function findProgramFiles(files: readonly CodeFile[]): (file: CodeFile) => boolean {
  const closures = findClosures(files).filter(({ isProgram }) => !isProgram);
  return (file) => closures.every(({ everything }) => !everything.has(file));
}

/** Returns a name that shows in a stack trace which entry loads a file, and when. */
function nameOf(entry: string, need: Need, groups: ReadonlyMap<string, Group>): string {
  const start = need === "token" ? `for-${entry}` : `${need}-for-${entry}`;
  const count = [...groups.values()].filter(({ file }) => file.startsWith(start)).length;
  return count === 0 ? `${start}.js` : `${start}-${count + 1}.js`;
}

/** Returns a file with all that is loaded at once with it. */
export function loadedAtOnce(file: CodeFile, files: readonly CodeFile[]): ReadonlySet<CodeFile> {
  return closureOf(file, files, ({ imports }) => imports);
}

/** Finds what each entry loads, those that load least first. */
function findClosures(files: readonly CodeFile[]): Closure[] {
  const entries = files.filter(({ kind }) => kind === "entry" || kind === "program");
  return entries.map((file) => {
    const isProgram = file.kind === "program";
    const atOnce = loadedAtOnce(file, files);
    // The program loads everything, some day: that would keep nothing apart.
    const everything = isProgram
      ? atOnce
      : closureOf(file, files, ({ imports, importsLater }) => [...imports, ...importsLater]);
    return { name: file.name.replace(/\.js$/, ""), isProgram, atOnce, everything };
  }).sort((a, b) => sizeOf(a.atOnce) - sizeOf(b.atOnce));
}

function closureOf(
  file: CodeFile,
  files: readonly CodeFile[],
  importsOf: (file: CodeFile) => readonly string[],
): Set<CodeFile> {
  const byName = new Map(files.map((each) => [each.name, each]));
  return reachable([file], (one) => importsOf(one).map((name) => byName.get(name)!));
}

function sizeOf(files: ReadonlySet<CodeFile>): number {
  return [...files].reduce((sum, { kind, text }) => kind === "chunk" ? sum + text.length : sum, 0);
}
