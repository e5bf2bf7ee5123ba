import { readdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { filesIn } from "../files.ts";

/**
 * What nothing else imports, with the features that it needs: each is deleted with the task and the
 * exports of its name.
 */
export const leaves: ReadonlyMap<string, readonly string[]> = new Map([
  ["playground", []],
  ["compat", ["hooks"]],
]);

/** The folders in which a leaf has a folder, or files whose names begin with its own. */
const places = ["src", "static", "scripts", "tests", "tests/once"];

/** Deletes the folders, files, tests, task and exports of a leaf, and returns what these were. */
export async function deleteLeaf(project: string, leaf: string): Promise<string[]> {
  const own = places.flatMap((place) =>
    readdirSync(join(project, place)).filter((name) => name.match(`^${leaf}(?:$|[._])`))
      .map((name) => `${place}/${name}`)
  );
  const withOthers = filesIn(join(project, "tests"), new RegExp(`/with_${leaf}_test\\.ts$`))
    .map((path) => relative(project, path));
  const deleted = [...own, ...withOthers];
  for (const path of deleted) await rm(join(project, path), { recursive: true });
  const file = join(project, "deno.json");
  const config = JSON.parse(await readFile(file, "utf8"));
  const exported = Object.keys(config.exports).filter((name) => name.startsWith(`./${leaf}/`));
  for (const name of exported) delete config.exports[name];
  if (leaf in config.tasks) exported.push(`deno task ${leaf}`);
  delete config.tasks[leaf];
  await writeFile(file, `${JSON.stringify(config, undefined, 2)}\n`);
  return [...deleted, ...exported];
}
