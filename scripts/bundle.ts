import "./without_workers.ts";
import {
  type BuildOptions,
  type BuildResult,
  buildSync,
  type TransformOptions,
  transformSync,
} from "esbuild";

/** Packages that only some installations need, which install them themselves. */
export const optionalPackages: readonly string[] = ["@redis/client", "postgres"];

/**
 * Bundles our TypeScript for runtimes that cannot run it. It runs synchronously, so no helper
 * process stays behind.
 */
export function bundle(options: BuildOptions): BuildResult<{ metafile: true }> {
  return buildSync({
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    jsx: "automatic",
    jsxImportSource: "preact",
    alias: { "@std/assert": "deno-std/assert/mod.js" },
    logLevel: "warning",
    ...options,
    metafile: true,
  });
}

/** Makes a style or a script smaller. What a script declares stays there for the scripts after it. */
export function minify(text: string, options: TransformOptions): string {
  return transformSync(text, { ...options, minify: true }).code;
}

/** Returns the JavaScript of a TypeScript file, and throws if the file cannot be parsed. */
export function transpile(text: string, path: string): string {
  const loader = path.endsWith("x") ? "tsx" : "ts";
  return transformSync(text, { loader, jsx: "automatic", sourcefile: path }).code;
}
