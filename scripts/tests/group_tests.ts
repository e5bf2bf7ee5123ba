import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** How tests are grouped. */
export interface GroupSettings {
  /** The folder of the files that import tests. */
  work: string;
  /** What their names begin with. */
  name: string;
  count: number;
}

/**
 * Writes files that import tests, and returns their paths. Deno loads every module again for each
 * file, which takes longer than most tests. For each file of tests a group prints what Deno prints
 * for a file of its own, and a file that cannot be loaded is a test that fails.
 */
export async function groupTests(
  files: readonly string[],
  { work, name, count }: GroupSettings,
): Promise<string[]> {
  const groups = Array.from(
    { length: Math.min(count, files.length) },
    (_, at) => files.filter((_, index) => index % count === at),
  );
  return await Promise.all(groups.map(async (group, at) => {
    const path = join(work, `${name}_${at}_test.js`);
    await writeFile(path, entryOf(group));
    return path;
  }));
}

function entryOf(files: readonly string[]): string {
  const urls = files.map((file) => [file, pathToFileURL(join(process.cwd(), file)).href]);
  return `const { test } = Deno;
let count = 0;
Deno.test = (...definition) => {
  count++;
  test(...definition);
};
for (const [file, url] of ${JSON.stringify(urls)}) {
  count = 0;
  await import(url).catch((cause) =>
    Deno.test(file + " can be loaded", () => {
      throw cause;
    })
  );
  console.log("running " + count + " tests from ./" + file);
}
`;
}
