import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Returns the files of folders that import a file, or import one that does. */
export async function importersOf(source: string, folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((entry) => join(folder, entry))
    ),
  );
  const files = names.flat().filter((file) => /(?<!node_modules.*)\.tsx?$/.test(file));
  const imports = new Map(
    await Promise.all(files.map(async (file) => [file, await importsOf(file)] as const)),
  );
  const importing = (wanted: readonly string[]) =>
    files.filter((file) => imports.get(file)?.some((target) => wanted.includes(target)));
  const direct = importing([resolve(source)]);
  return [...direct, ...importing(direct.map((file) => resolve(file)))];
}

async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8");
  return [...text.matchAll(/(?:from|import) "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)]
    .map(([, target, loaded = ""]) => resolve(file, "..", target ?? loaded));
}
