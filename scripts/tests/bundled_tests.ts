import { readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
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

function loadEntry(_text: string, source: string): string {
  return JSON.stringify(entries.get(source) ?? source);
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
