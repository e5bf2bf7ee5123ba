import { lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseJson } from "../../../server/util/text/json.ts";
import type { Project } from "./project.ts";

/** A package.json, before and after it got a script that runs all tests. */
export interface TestScript {
  command: string;
  path: string;
  before: string;
  after: string;
}

/** Returns the script for a package.json that has none; undefined if nothing can be added. */
export async function missingTestScript(
  { folder, starter: { manifest, script } }: Project,
): Promise<TestScript | undefined> {
  const path = join(folder, manifest);
  // A link may lead to a file of another project.
  if (script === undefined || !(await lstat(path)).isFile()) return undefined;
  const before = await readFile(path, "utf8");
  const value = parseJson(before);
  if (!isObject(value)) return undefined;
  const { scripts = {} } = value;
  if (!isObject(scripts) || Object.hasOwn(scripts, "test")) return undefined;
  const [indent = "  "] = /(?<=\n)[ \t]+/.exec(before) ?? [];
  const [end = ""] = /\s*$/.exec(before) ?? [];
  const changed = { ...value, scripts: { ...scripts, test: script } };
  const after = `${JSON.stringify(changed, undefined, indent)}${end}`;
  return { command: script, path, before, after };
}

/** Writes the script, unless the file was changed meanwhile. Returns whether it did. */
export async function writeTestScript({ path, before, after }: TestScript): Promise<boolean> {
  if (await readFile(path, "utf8") !== before) return false;
  await writeFile(path, after);
  return true;
}
