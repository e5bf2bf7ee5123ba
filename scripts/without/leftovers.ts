import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { transpile } from "../bundle.ts";
import { filesIn, reachable } from "../files.ts";
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
export function unreached(project: string): string[] {
  const entries = entryPoints(project).map((path) => join(project, path));
  const reached = reachable(entries, (file) => existsSync(file) ? importsOf(file) : []);
  return filesIn(join(project, "src"), /\.tsx?$/).filter((file) => !reached.has(file))
    .map((file) => relative(project, file));
}
