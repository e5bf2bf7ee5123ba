import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deleteLines, isPartOf } from "./delete_lines.ts";

/** Folders with one folder for each feature. */
const folders = ["src/server/features", "src/lab/features", "src/program/features"];

/**
 * Returns features, and those that cannot do without them: they do more than to list a name. Each
 * is after those that it needs.
 */
export async function withDependents(project: string, names: readonly string[]): Promise<string[]> {
  const found = new Set(names);
  // One that needs another one, too, moves to the end, and what needs it follows.
  for (const name of found) {
    for (const folder of folders) {
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
  for (const path of readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })) {
    const file = `${folder}/${path}`;
    if (!/\.tsx?$/.test(path) || others.some((each) => isPartOf(each, file))) continue;
    const source = await readFile(join(project, file), "utf8");
    if (deleteLines(source, name, file).left.length > 0) return true;
  }
  return false;
}
