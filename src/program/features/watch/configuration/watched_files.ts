import { readFile } from "node:fs/promises";

/** Looks at files, and returns the paths of those that have changed and are at rest again. */
export type LookAtFiles = () => Promise<readonly string[]>;

/**
 * Creates what looks for changed files. It reads them: the system notifies of a folder or of a
 * file, but not where a file is renamed over another, a link leads elsewhere or the file is on a
 * network. At the first look every file is new: it may have changed since the server read it.
 */
export function watchFiles(
  paths: () => readonly string[],
  read: (path: string) => Promise<string> = readContent,
): LookAtFiles {
  let reported = new Map<string, string>();
  let seen = new Map<string, string>();
  return async () => {
    const names = paths();
    const contents = await Promise.all(names.map(read));
    const present = new Map(names.map((path, at) => [path, contents[at] ?? ""]));
    const isAtRest = differing(present, seen).length === 0;
    seen = present;
    // Half of a file may have been written.
    if (!isAtRest) return [];
    const changed = differing(present, reported);
    reported = present;
    return changed;
  };
}

function differing(
  present: ReadonlyMap<string, string>,
  earlier: ReadonlyMap<string, string>,
): string[] {
  return [...present.keys()].filter((path) => present.get(path) !== earlier.get(path));
}

/** A file that cannot be read may be about to be replaced. Who reads it next, reports why. */
async function readContent(path: string): Promise<string> {
  return await readFile(path, "base64").catch(() => "");
}
