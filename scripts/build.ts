/**
 * Makes `dist/` for Node, and for npm.
 *
 *   deno task build
 */
import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { bundle } from "./bundle.ts";

const deno = JSON.parse(await readFile("deno.json", "utf8"));
const banner = "#!/usr/bin/env node";

/** What can be imported, and the program. */
const entryPoints: Record<string, string> = {
  mod: "src/mod.ts",
  serve: "src/runtime/serve.ts",
  sqlite: "src/store/sqlite.ts",
  resource: "src/resource/protected_resource.ts",
  main: "src/main.ts",
};

await rm("dist/chunks", { recursive: true, force: true });
bundle({ entryPoints, outdir: "dist", splitting: true, minifySyntax: true, chunkNames: "chunks/[name]-[hash]", legalComments: "inline" });
await writeFile("dist/main.js", `${banner}\n${await readFile("dist/main.js", "utf8")}`);
await chmod("dist/main.js", 0o755);
await copyFile("LICENSE", "dist/LICENSE");
await writeFile("dist/package.json", `${JSON.stringify(packageJson(), null, 2)}\n`);
console.log(`dist/ is made: hallpass ${deno.version}`);

function packageJson() {
  return {
    name: "hallpass",
    version: deno.version,
    description: deno.description,
    license: deno.license,
    type: "module",
    bin: { hallpass: "main.js" },
    exports: { ".": "./mod.js", "./serve": "./serve.js", "./sqlite": "./sqlite.js", "./resource": "./resource.js" },
    engines: { node: ">=22.13" },
  };
}
