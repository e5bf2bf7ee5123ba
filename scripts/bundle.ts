import { build } from "esbuild";
import type { BuildOptions, BuildResult } from "esbuild";

/** Bundles our TypeScript for the runtimes that cannot read it as it stands. */
export function bundle(options: BuildOptions): Promise<BuildResult<{ metafile: true }>> {
  return build({
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
