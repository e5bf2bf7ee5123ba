import { existsSync, readdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { filesIn } from "../files.ts";
import { deleteLines, deleteSettings, isPartOf, settingsIn } from "./delete_lines.ts";

/** Folders with one folder for each feature. */
const featureFolders = ["src/server/features", "src/lab/features", "src/program/features"];

const folders = [
  ...featureFolders,
  ...["tests/features", "tests/lab/features", "tests/once/features", "tests/program/features"],
];

/** Data with settings of any feature, and the list of their names. */
const presets = "src/lab/features/providers/presets/";

/** What deleting a feature changed. */
interface DeletedFeature {
  /** How many lines of TypeScript its folders had. */
  lines: number;
  /** The files with lists that named it, each with the number of lines that it lost. */
  lists: Array<[file: string, lines: number]>;
  /** What files do with names of the feature besides listing them. */
  problems: string[];
}

/**
 * Deletes the folders of a feature, what others have for it, the tests of others that are about
 * both, and its lines in the lists that named it.
 */
export async function deleteFeature(project: string, name: string): Promise<DeletedFeature> {
  const deleted: DeletedFeature = { lines: 0, lists: [], problems: [] };
  const declared = ["src/lab/features", "src/server/features"]
    .map((folder) => readFile(join(project, folder, name, "config.ts"), "utf8").catch(() => ""));
  const settings = (await Promise.all(declared)).flatMap(settingsIn);
  for (const folder of folders.map((each) => join(project, each, name))) {
    for (const file of sourcesIn(folder)) deleted.lines += linesOf(await readFile(file, "utf8"));
    await rm(folder, { recursive: true, force: true });
  }
  for (const file of sourcesIn(join(project, "src"))) {
    if (!isPartOf(name, file)) continue;
    deleted.lines += linesOf(await readFile(file, "utf8"));
    await rm(file);
  }
  const ofBoth = new RegExp(`/with_${name}_test\\.ts$`);
  for (const file of filesIn(join(project, "tests"), ofBoth)) await rm(file);
  for (const file of ["src", "tests"].flatMap((folder) => sourcesIn(join(project, folder)))) {
    const before = await readFile(file, "utf8");
    const path = file.slice(project.length + 1);
    const { source: others, left } = deleteLines(before, name, path);
    const source = path.startsWith(presets) ? deleteSettings(others, settings) : others;
    if (source === before) continue;
    await writeFile(file, source);
    deleted.lists.push([path, linesOf(before) - linesOf(source)]);
    // What is written from the folders is written again without this one.
    const isWritten = source.startsWith("// Written by `deno task generate`");
    if (left.length > 0 && !isWritten) {
      deleted.problems.push(`${path} does more than to list ${left.join(", ")}`);
    }
  }
  return deleted;
}

/**
 * Returns features, and those that cannot do without them: they do more than to list a name. Each
 * is after those that it needs.
 */
export async function withDependents(project: string, names: readonly string[]): Promise<string[]> {
  const found = new Set(names);
  // One that needs another one, too, moves to the end, and what needs it follows.
  for (const name of found) {
    for (const folder of featureFolders) {
      for (const other of readdirSync(join(project, folder))) {
        if (!await needsIt(project, `${folder}/${other}`, name, found)) continue;
        found.delete(other);
        found.add(other);
      }
    }
  }
  return [...found];
}

/** Whether a feature does more than to list another, apart from what it has for deleted ones. */
async function needsIt(project: string, folder: string, name: string, deleted: Set<string>) {
  const others = [...deleted].filter((each) => !folder.endsWith(`/${each}`));
  if (folder.endsWith(`/${name}`)) return false;
  for (const path of sourcesIn(join(project, folder))) {
    const file = relative(project, path);
    if (others.some((each) => isPartOf(each, file))) continue;
    if (deleteLines(await readFile(path, "utf8"), name, file).left.length > 0) return true;
  }
  return false;
}

/** Few features have a folder of each kind. */
function sourcesIn(folder: string): string[] {
  return existsSync(folder) ? filesIn(folder, /\.tsx?$/) : [];
}

function linesOf(source: string): number {
  return source.split("\n").length - 1;
}
