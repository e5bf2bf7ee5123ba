import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** How tests are grouped. */
export interface GroupSettings {
  /** The folder of the files that import tests. */
  work: string;
  /** What their names begin with. */
  name: string;
  count?: number;
}

/**
 * Writes files that import tests, and returns their paths: loading our modules again for each file
 * takes longer than most tests. On Deno and Node, a group prints for each file what Deno prints for
 * a file of its own: their reports name the file that calls `it`, which may be a helper of tests. A
 * file that cannot be loaded is a test that fails: Node ignores its errors after its first test.
 */
export async function writeEntries(
  files: readonly string[],
  { work, name, count = 1 }: GroupSettings,
): Promise<string[]> {
  const groups = Array.from(
    { length: Math.min(count, files.length) },
    (_, at) => files.filter((_, index) => index % count === at),
  );
  return await Promise.all(groups.map(async (group, at) => {
    const path = join(work, `${name}_${at}_test.mjs`);
    await writeFile(path, entryOf(group));
    return path;
  }));
}

function entryOf(files: readonly string[]): string {
  const urls = files.map((file) => [file, pathToFileURL(resolve(file)).href]);
  return `import { createRequire } from "node:module";
const { Deno } = globalThis;
let count = 0;
const counted = (define) =>
  Object.assign((...definition) => {
    count++;
    return define(...definition);
  }, define);
// What is imported from "node:test" is what it has when it is first imported.
const nodeTest = createRequire(import.meta.url)("node:test");
if (Deno) Deno.test = counted(Deno.test);
else nodeTest.it = counted(nodeTest.it);
for (const [file, url] of ${JSON.stringify(urls)}) {
  count = 0;
  try {
    await import(url);
  } catch (cause) {
    nodeTest.it(file + " can be loaded", () => {
      throw cause;
    });
  }
  console.log("running " + count + " tests from ./" + file);
}
`;
}
