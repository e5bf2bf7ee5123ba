import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transpile } from "../bundle.ts";

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
