/**
 * Builds the npm package, which is also how the program runs on Node: our code and the packages it
 * uses in a few files, with their licenses and our types.
 *
 *   deno task build [FOLDER]
 */
import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { bundle } from "./bundle.ts";
import { writeDeclarations } from "./declarations.ts";
import { licensesOf, packageReadme } from "./package_files.ts";

/** The JSON Schema of a configuration file, which `"$schema"` can name. */
const schemaFile = "config.schema.json";

const [folder = "dist/npm"] = process.argv.slice(2);
const deno = JSON.parse(await readFile("deno.json", "utf8"));

/** The entry points: "." is mod, "./serve" is serve. */
const exported = Object.entries<string>(deno.exports).map(([path, source]) => ({
  path,
  source,
  name: path.slice(2) || "mod",
}));
const entryPoints = {
  ...Object.fromEntries(exported.map(({ name, source }) => [name, source])),
  main: "src/main.ts",
};

await rm(folder, { recursive: true, force: true });
const { metafile } = bundle({
  entryPoints,
  outdir: folder,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  minify: true,
  lineLimit: 200,
  legalComments: "none",
  // The program reads the schema from the file that the package exports.
  loader: { ".json": "copy" },
  assetNames: "[name]",
});
await writeFile(
  join(folder, "main.js"),
  `#!/usr/bin/env node\n${await readFile(join(folder, "main.js"), "utf8")}`,
);
await chmod(join(folder, "main.js"), 0o755);
await writeDeclarations(exported.map(({ source }) => source), join(folder, "types"));
await writeFile(join(folder, "THIRD-PARTY-LICENSES"), await licensesOf(metafile));
await writeFile(join(folder, "README.md"), packageReadme(await readFile("README.md", "utf8")));
await copyFile("LICENSE", join(folder, "LICENSE"));
const schema = JSON.parse(await readFile(join(folder, schemaFile), "utf8"));
await writeFile(join(folder, schemaFile), JSON.stringify(schema));
await writeFile(join(folder, "package.json"), `${JSON.stringify(packageJson(), null, 2)}\n`);
console.log(`Built hallpass ${deno.version} in ${folder}`);

function packageJson(): object {
  return {
    name: "hallpass",
    version: deno.version,
    description: deno.description,
    license: deno.license,
    type: "module",
    sideEffects: false,
    bin: { hallpass: "main.js" },
    exports: {
      ...Object.fromEntries(exported.map(entryPoint)),
      [`./${schemaFile}`]: `./${schemaFile}`,
    },
    engines: { node: ">=22.13" },
    files: ["*.js", "chunks", "types", "THIRD-PARTY-LICENSES", schemaFile],
  };
}

function entryPoint({ path, source, name }: (typeof exported)[number]) {
  const types = source.replace("./src/", "./types/").replace(".ts", ".d.ts");
  return [path, { types, default: `./${name}.js` }];
}
