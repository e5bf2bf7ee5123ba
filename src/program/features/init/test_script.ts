import { lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson, isObject, parseJson } from "../../../server/util/text/json.ts";
import type { Project } from "./project.ts";

/** A package.json, before and after it got a script that runs all tests. */
export interface TestScript {
  line: string;
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
  // What is not UTF-8 was not read as it is.
  if (!isObject(value) || before.includes("\ufffd")) return undefined;
  const { scripts = {} } = value;
  if (!isObject(scripts) || Object.hasOwn(scripts, "test")) return undefined;
  const line = `"test": ${JSON.stringify(script)}`;
  const after = insertScript(before, line, { ...value, scripts: { ...scripts, test: script } });
  return after === undefined ? undefined : { line, path, before, after };
}

/** Inserts a script where the text then means `changed`. All else stays as it is written. */
function insertScript(before: string, script: string, changed: object): string | undefined {
  const [indent = ""] = /(?<=\n)[ \t]+/.exec(before) ?? [];
  for (const { index } of before.matchAll(/\}/g)) {
    const head = before.slice(0, index).trimEnd();
    const space = before.slice(head.length, index);
    const gap = space.includes("\n") ? space + indent : space || " ";
    const start = head + (head.endsWith("{") ? "" : ",") + gap;
    for (const member of [script, `"scripts": {${gap}${indent}${script}${gap}}`]) {
      const after = start + member + before.slice(head.length);
      if (canonicalJson(parseJson(after)) === canonicalJson(changed)) return after;
    }
  }
  return undefined;
}

/** Writes the script, unless the file was changed meanwhile. Returns whether it did. */
export async function writeTestScript({ path, before, after }: TestScript): Promise<boolean> {
  if (await readFile(path, "utf8") !== before) return false;
  await writeFile(path, after);
  return true;
}
