import { writeFile } from "node:fs/promises";
import { basename } from "node:path";

/**
 * Writes a module beside each bundle of tests that imports it, and returns their paths. What a file
 * throws is a test that fails: Node ignores it, after the file's first test, if files share a
 * process.
 */
export async function writeNodeEntries(bundles: readonly string[]): Promise<string[]> {
  return await Promise.all(bundles.map(async (bundle) => {
    const path = bundle.replace(/\.test\.mjs$/, ".entry.mjs");
    await writeFile(path, entryOf(basename(bundle)));
    return path;
  }));
}

function entryOf(bundle: string): string {
  return `import { it } from "node:test";
try {
  await import(${JSON.stringify(`./${bundle}`)});
} catch (cause) {
  it("can be loaded", () => {
    throw cause;
  });
}
`;
}
