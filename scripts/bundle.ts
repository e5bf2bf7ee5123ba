import "./without_workers.ts";
import { type BuildOptions, type BuildResult, buildSync } from "esbuild";

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
