import { readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import deno from "../../deno.json" with { type: "json" };
import { bundle, optionalPackages } from "../bundle.ts";

type Inputs = ReturnType<typeof bundle>["metafile"]["inputs"];

/** What loads an entry point of the package, by its source: "hallpass/sqlite". */
const entries: ReadonlyMap<string, string> = new Map(
  Object.entries(deno.exports).map(([path, source]) => [
    source.slice(2),
    `hallpass${path.slice(1)}`,
  ]),
);

/** How tests are grouped. */
export interface GroupSettings {
  /** The folder of the files that import tests. */
  work: string;
  /** What their names begin with. */
  name: string;
  count?: number;
  /** How long a file may take to load: one that never does would hide all files after it. */
  loadSeconds: number;
}

/**
 * Writes files that import tests, and returns their paths: loading our modules again for each file
 * takes longer than most tests. On Deno and Node, a group prints for each file what Deno prints for
 * a file of its own: their reports name the file that calls `it`, which may be a helper of tests. A
 * file that cannot be loaded is a test that fails: Node ignores its errors after its first test.
 */
export async function writeEntries(
  files: readonly string[],
  { work, name, count = 1, loadSeconds }: GroupSettings,
): Promise<string[]> {
  const groups = Array.from(
    { length: Math.min(count, files.length) },
    (_, at) => files.filter((_, index) => index % count === at),
  );
  return await Promise.all(groups.map(async (group, at) => {
    const path = join(work, `${name}_${at}_test.mjs`);
    await writeFile(path, entryOf(group, loadSeconds));
    return path;
  }));
}

/** Bundles tests for runtimes that cannot run TypeScript, and returns what they import. */
export function bundleTests(
  files: readonly string[],
  folder: string,
  outdir: string,
  external: readonly string[] = [],
): ReturnType<typeof bundle>["metafile"] {
  const { metafile } = bundle({
    entryPoints: [...new Set(files)],
    outdir,
    outbase: folder,
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    external: ["esbuild", ...optionalPackages, ...external],
    sourcemap: "inline",
  });
  return metafile;
}

/** Returns the paths of bundles. */
export function bundlesOf(files: readonly string[], folder: string, outdir: string): string[] {
  return files.map((file) => join(outdir, relative(folder, file).replace(/\.tsx?$/, ".test.mjs")));
}

/** Bundles tests of what the package exports so that they load the package. */
export async function bundleForPackage(files: readonly string[], outdir: string): Promise<void> {
  const { outputs } = bundleTests(files, "tests", outdir, [resolve("src/*")]);
  for (const path of Object.keys(outputs)) {
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll(/"(?:\.\.\/)+(src\/[\w./]+)"/g, loadEntry));
  }
}

/**
 * Returns the tests that need nothing of our sources but what the package exports, the helpers that
 * they import included.
 */
export function testsOfExports(files: readonly string[], inputs: Inputs): string[] {
  function sourcesOf(file: string, seen: Set<string>): string[] {
    if (seen.has(file)) return [];
    seen.add(file);
    const imported = (inputs[file]?.imports ?? []).filter(({ external }) => !external);
    return imported.flatMap(({ path }) => path.startsWith("src/") ? [path] : sourcesOf(path, seen));
  }
  return files.filter((file) => {
    const sources = sourcesOf(file, new Set());
    return sources.length > 0 && sources.every((source) => entries.has(source));
  });
}

function loadEntry(_text: string, source: string): string {
  return JSON.stringify(entries.get(source) ?? source);
}

function entryOf(files: readonly string[], loadSeconds: number): string {
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
  let timer;
  const late = new Promise((_, reject) => {
    const problem = new Error("A top-level await did not end within ${loadSeconds} seconds.");
    timer = setTimeout(reject, ${loadSeconds * 1000}, problem);
  });
  try {
    await Promise.race([import(url), late]);
  } catch (cause) {
    nodeTest.it(file + " can be loaded", () => {
      throw cause;
    });
    // Deno ends all files once nothing but an import is left to wait for.
    if (Deno) setInterval(() => {}, 1000);
  }
  clearTimeout(timer);
  console.log("running " + count + " tests from ./" + file);
}
`;
}
