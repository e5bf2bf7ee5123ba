import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import deno from "../../deno.json" with { type: "json" };
import { bundle, optionalPackages } from "../bundle.ts";

type Metafile = ReturnType<typeof bundle>["metafile"];

/** What loads an entry point of the package, by its source: "hallpass/sqlite". */
const entries: ReadonlyMap<string, string> = new Map(
  Object.entries(deno.exports).map(([path, source]) => [
    source.slice(2),
    `hallpass${path.slice(1)}`,
  ]),
);

/**
 * Returns the tests that need nothing of our sources but what the package exports, the helpers that
 * they import included.
 */
export function testsOfExports(
  files: readonly string[],
  inputs: Metafile["inputs"],
): string[] {
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

/** Bundles tests that load the package in `node_modules` of `work`, and returns the bundles. */
export async function bundleForPackage(files: readonly string[], work: string): Promise<string[]> {
  const outdir = join(work, "package/tests");
  const { outputFiles = [] } = bundle({
    entryPoints: [...files],
    outdir,
    outbase: "tests",
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    external: [resolve("src/*"), "esbuild", ...optionalPackages],
    write: false,
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text.replaceAll(/"(?:\.\.\/)+(src\/[\w./]+)"/g, loadEntry));
  }
  return files.map((file) => join(outdir, relative("tests", file).replace(/\.tsx?$/, ".test.mjs")));
}

function loadEntry(_text: string, source: string): string {
  return JSON.stringify(entries.get(source) ?? source);
}
