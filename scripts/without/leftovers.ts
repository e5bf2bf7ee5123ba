import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transpile } from "../bundle.ts";
import { importsOf } from "../tests/selection.ts";

/** Returns what a user can import or start: the exports of deno.json, and the program. */
export function entryPoints(project: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(project, "deno.json"), "utf8"));
  return [...Object.values<string>(exports), "src/main.ts"];
}

/** Returns why files cannot be parsed: types and tests are not checked of each. */
export function parseProblems(files: readonly string[]): string[] {
  return files.filter((file) => existsSync(file)).flatMap((file) => {
    try {
      transpile(readFileSync(file, "utf8"), file);
      return [];
    } catch (cause) {
      return [`${file} cannot be parsed: ${cause}`];
    }
  });
}

/** Returns the sources that no entry point reaches. */
export async function unreached(project: string): Promise<string[]> {
  const reached = new Set(entryPoints(project).map((path) => join(project, path)));
  for (const file of reached) {
    if (!/\.tsx?$/.test(file) || !existsSync(file)) continue;
    for (const target of await importsOf(file)) reached.add(target);
  }
  return readdirSync(join(project, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path)).map((path) => `src/${path}`)
    .filter((path) => !reached.has(join(project, path)));
}
