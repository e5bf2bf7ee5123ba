import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deleteLines, isPartOf } from "./delete_lines.ts";

/** Folders with one folder for each feature. */
const folders = ["src/server/features", "src/lab/features", "src/program/features"];

/** Returns features, and those that cannot do without them: they do more than to list a name. */
export async function withDependents(project: string, names: readonly string[]): Promise<string[]> {
  const found = new Set(names);
  for (const folder of folders) {
    for (const other of readdirSync(join(project, folder))) {
      if (await needsOne(project, `${folder}/${other}`, names)) found.add(other);
    }
  }
  const all = [...found];
  return all.length === names.length ? all : await withDependents(project, all);
}

async function needsOne(project: string, folder: string, names: readonly string[]) {
  const others = names.filter((name) => !folder.endsWith(`/${name}`));
  for (const path of readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })) {
    const file = `${folder}/${path}`;
    if (!/\.tsx?$/.test(path) || others.some((name) => isPartOf(name, file))) continue;
    const source = await readFile(join(project, file), "utf8");
    if (others.some((name) => deleteLines(source, name, file).left.length > 0)) return true;
  }
  return false;
}
