/**
 * Builds the npm package, which is also how the program runs on Node: our code and the packages it
 * uses in a few files, with their licenses and our types.
 *
 *   deno task build [FOLDER] [--no-types]
 */
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { optionalPackages } from "./bundle.ts";
import { writeDeclarations } from "./declarations.ts";
import { fetched, forgetFetched } from "./downloads.ts";
import { filesIn } from "./files.ts";
import { writeCode } from "./package_code.ts";
import {
  createSbom,
  findRepository,
  licensesOf,
  packageReadme,
  packagesIn,
  readPackage,
  sourceLinks,
} from "./package_files.ts";

/** The JSON Schema of a configuration file, which `"$schema"` can name. */
const schemaFile = "config.schema.json";

/**
 * The entries that import a test runner, which only its users have: they are written by hand, and
 * add what `hallpass/fixtures` returns to the runner's own `test`.
 */
const runners = {
  "./playwright": conditionsOf("playwright", "d.ts"),
  "./jest": conditionsOf("jest", "d.ts"),
  "./vitest": { types: "./vitest.d.mts", default: "./vitest.mjs" },
  "./vitest-setup": { types: "./vitest-setup.d.mts", default: "./vitest-setup.mjs" },
};
const runnerPackages = ["@jest/globals", "@playwright/test", "vitest"];

/** Folders of files that are in the package as they are, and where. */
const copied = {
  "static/runners": ".",
  "static/guides": "guides",
  "static/index": ".",
  "static/skill": "skills/hallpass",
};

/** The bill of materials (CycloneDX). */
const sbomFile = "sbom.cdx.json";

const [folder = "dist/npm", noTypes] = process.argv.slice(2);
const deno = JSON.parse(await readFile("deno.json", "utf8"));

/** The entry points: "." is index, "./serve" is serve. */
const entries = Object.entries<string>(deno.exports).map(([path, source]) => ({
  path,
  source: source.replace("./", ""),
  name: path.slice(2) || "index",
}));
const program = { name: "main", source: "src/main.ts" };

/** What a bundle for browsers has in place of the modules of Node. */
const inBrowser = "browser.js";
const browserCode = `function refuse() {
  throw new Error("Hallpass cannot listen, open sockets or read files in a browser.");
}
module.exports = new Proxy({}, { get: () => refuse });
`;

await rm(folder, { recursive: true, force: true });
const packages = await packagesIn(await writeCode(entries, program, folder));
await chmod(join(folder, "main.mjs"), 0o755);
await writeFile(join(folder, inBrowser), browserCode);
const nodeModules = await modulesOfNode();
if (noTypes === undefined) {
  await writeDeclarations(entries, folder, await fetched("scripts/types"));
}
await forgetFetched();
await writeFile(join(folder, "THIRD-PARTY-LICENSES"), await licensesOf(packages));
const readme = await readFile(".github/PACKAGE.md", "utf8");
await writeFile(join(folder, "README.md"), packageReadme(readme));
await copyFile("LICENSE", join(folder, "LICENSE"));
await writeFile(join(folder, sbomFile), `${JSON.stringify(await makeSbom())}\n`);
const schema = JSON.parse(await readFile(join("static", schemaFile), "utf8"));
await writeFile(join(folder, schemaFile), JSON.stringify(schema));
for (const [from, to] of Object.entries(copied)) {
  await mkdir(join(folder, to), { recursive: true });
  for (const file of await readdir(from)) await copyFile(join(from, file), join(folder, to, file));
}
await writeFile(join(folder, "package.json"), `${JSON.stringify(packageJson(), null, 2)}\n`);
console.log(`Built hallpass ${deno.version} in ${folder}`);

/** Returns the modules of Node that the package loads. */
async function modulesOfNode(): Promise<string[]> {
  const files = filesIn(folder, /\.js$/);
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const loaded = texts.flatMap((text) => [...text.matchAll(/require\("(node:[^"]+)"\)/g)]);
  return [...new Set(loaded.flatMap(([, name]) => name ?? []))].sort();
}

function packageJson(): object {
  const repository = findRepository(deno.repository, process.env);
  return {
    name: "hallpass",
    version: deno.version,
    description: deno.description,
    keywords: deno.keywords,
    license: deno.license,
    ...repository !== undefined && sourceLinks(repository),
    type: "commonjs",
    sideEffects: false,
    bin: { hallpass: "main.mjs" },
    // For resolvers that do not know `exports`. They find the other entries by their file names.
    main: "index.js",
    types: "index.d.ts",
    exports: {
      ...Object.fromEntries(entries.map(({ path, name }) => [path, conditionsOf(name)])),
      ...runners,
      [`./${schemaFile}`]: `./${schemaFile}`,
      "./package.json": "./package.json",
    },
    // What needs a machine, for bundlers: the rest of a lab runs in a browser.
    browser: Object.fromEntries(nodeModules.map((name) => [name, `./${inBrowser}`])),
    engines: { node: ">=20.19" },
    // Not in `peerDependencies`: npm would fetch their documents, forty of them, for projects that
    // have none. With these, pnpm and Yarn let us load those that a project has.
    peerDependenciesMeta: Object.fromEntries(
      [...optionalPackages, ...runnerPackages].map((name) => [name, { optional: true }]),
    ),
  };
}

async function makeSbom(): Promise<object> {
  const lock = JSON.parse(await readFile("deno.lock", "utf8"));
  const { version, license } = deno;
  const optional = await Promise.all(
    optionalPackages.map((name) => readPackage(join("node_modules", name))),
  );
  return createSbom({ version, license, bundled: packages, optional, lock });
}

function conditionsOf(name: string, typesOfModule = "d.mts"): object {
  return {
    import: { types: `./${name}.${typesOfModule}`, default: `./${name}.mjs` },
    default: { types: `./${name}.d.ts`, default: `./${name}.js` },
  };
}
