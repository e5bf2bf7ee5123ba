import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import deno from "../../deno.json" with { type: "json" };
import { bundle, optionalPackages } from "../bundle.ts";

type Metafile = ReturnType<typeof bundle>["metafile"];

/** How a program loads the package. */
export type Loading = "import" | "require";

/** The entry points of the package by their source: "src/server/store/sqlite.ts" is "sqlite". */
const entries: ReadonlyMap<string, string> = new Map(
  Object.entries(deno.exports).map(([path, source]) => [source.slice(2), path.slice(2)]),
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

/**
 * Bundles tests for a package that is installed in `node_modules` of `work`, and returns the
 * bundles. The tests see a tree beside them that has only the package's entry points as sources.
 */
export async function bundleForPackage(
  files: readonly string[],
  work: string,
  loading: Loading,
): Promise<string[]> {
  const tree = join(work, `${loading}-tree`);
  await makeTree(tree, join(work, "node_modules/hallpass"), loading);
  const outdir = join(work, loading, "tests");
  bundle({
    entryPoints: files.map((file) => join(tree, file)),
    outdir,
    outbase: join(tree, "tests"),
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    preserveSymlinks: true,
    external: ["esbuild", "hallpass", ...optionalPackages],
    sourcemap: "inline",
  });
  return files.map((file) => join(outdir, relative("tests", file).replace(/\.tsx?$/, ".test.mjs")));
}

async function makeTree(tree: string, installed: string, loading: Loading): Promise<void> {
  await mkdir(tree, { recursive: true });
  const root = process.cwd();
  const others = (await readdir(root)).filter((name) => !name.startsWith(".") && name !== "src");
  for (const name of others) await symlink(join(root, name), join(tree, name));
  for (const [source, name] of entries) {
    const file = join(tree, source);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await loadEntry(name, installed, loading));
  }
}

/** Returns a module that loads an entry point of the package and passes it on. */
async function loadEntry(name: string, installed: string, loading: Loading): Promise<string> {
  const path = ["hallpass", name].filter(Boolean).join("/");
  if (loading === "import") return `export * from "${path}";\n`;
  const passedOn = await readFile(join(installed, `${name || "index"}.mjs`), "utf8");
  const names = /export const (\{[^}]*\})/.exec(passedOn)?.[1];
  const require = `createRequire(import.meta.url)("${path}")`;
  return `import { createRequire } from "node:module";\nexport const ${names} = ${require};\n`;
}
