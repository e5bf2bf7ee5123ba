import { stop, transformSync } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { optionalPackages } from "./bundle.ts";
import { findGroups, loadedAtAll, loadedAtOnce } from "./chunk_groups.ts";
import { toCommonJs, withImports } from "./common_js.ts";
import { findNeeds } from "./module_needs.ts";
import { type CodeFile, splitCode, type SplitOptions } from "./split_code.ts";

/** What an import of the package loads: "serve" is `hallpass/serve`. */
export interface PackageEntry {
  name: string;
  source: string;
}

/** What the names of files begin with that are loaded when something of them is first used. */
const deferred = /^(?:login|rare)-for-/;

/** How files are made smaller. Runtimes quote the line of an error. */
const smaller = { target: "node20.19", minify: true, lineLimit: 1000 } as const;

/** What the program reads from the file that the package exports. */
const schema = String.raw`[^/]+\.schema\.json$`;

/**
 * Writes the code of the npm package. Returns the paths of the modules in it.
 *
 * There is one copy of the code, in CommonJS, because every loader takes that: Node, Jest with its
 * defaults, Deno, Bun and bundlers. For `import`, each entry has a module beside it that passes the
 * same objects on, so that a program which loads the package both ways has one `LabError`.
 *
 * Modules that are loaded together are in one file. A bundler by itself makes hundreds, with which
 * Node 24 takes 105 ms to the first token instead of 46 (esbuild, the least of 15 fresh processes
 * each, 2026-11-26). What a lab does not need for its first token is loaded when it is first used.
 */
export async function writeCode(
  entries: readonly PackageEntry[],
  program: PackageEntry,
  folder: string,
): Promise<string[]> {
  const options: SplitOptions = {
    input: Object.fromEntries(
      [...entries, program].map(({ name, source }) => [chunkOf(name), source]),
    ),
    platform: "node",
    target: smaller.target,
    external: optionalPackages.map((name) => `^${name}$`),
    beside: schema,
  };
  const library = entries.map(({ name }) => `${chunkOf(name)}.js`);
  const main = `${program.name}.js`;
  const modules = await splitCode(options);
  const work = join(process.cwd(), ".build", `packages-${process.pid}`);
  try {
    const needs = await findNeeds(modules, library, work);
    const groups = findGroups(modules, library, main, needs);
    const files = await splitCode(options, Object.fromEntries(groups));
    const chunks = await writeChunks(files, library, main, folder);
    for (const { name } of entries) {
      // Rolldown may add to what the file of an entry exports, for other files.
      const { exports } = modules.find((file) => file.name === `${chunkOf(name)}.js`)!;
      await writeEntry(join(folder, name), join(folder, chunks, `${chunkOf(name)}.js`), exports);
    }
    const code = programIn(files.find(({ name }) => name === main)!, chunks);
    await write(join(folder, `${program.name}.mjs`), `#!/usr/bin/env node\n${code}`);
    return files.flatMap((file) => file.modules);
  } finally {
    // One process of esbuild makes all of them: with one for each, a build took 13 s longer.
    await stop();
    await rm(work, { recursive: true, force: true });
  }
}

/** Writes all files but the program as CommonJS, and returns the folder. */
async function writeChunks(
  files: readonly CodeFile[],
  library: readonly string[],
  main: string,
  folder: string,
): Promise<string> {
  const ofLibrary = loadedAtAll(library, files);
  const later = new Set(files.flatMap(({ importsLater }) => importsLater));
  const writing = files.filter(({ name }) => name !== main).map(async (file) => {
    const isOfProgram = !ofLibrary.has(file);
    // What it imports may be a module, as a configuration. Jest rejects `import()`.
    const supported = { "dynamic-import": isOfProgram };
    const text = await toCommonJs(file, deferred, { ...smaller, supported });
    // A command may listen, and without free file descriptors it could load nothing for a request.
    const isCommand = isOfProgram && later.has(file.name);
    const loaded = isCommand ? [...loadedAtOnce([file.name], files)] : [];
    const requires = loaded.filter(({ name }) => deferred.test(name))
      .map(({ name }) => `require("./${name}");\n`);
    return { name: file.name, text: requires.join("") + text };
  });
  const written = await Promise.all(writing);
  const chunks = `chunks-${digestOf(written)}`;
  for (const { name, text } of written) await write(join(folder, chunks, name), text);
  return chunks;
}

/** Returns the program, which loads chunks. A module gets all of a CommonJS file as its default. */
function programIn({ text }: CodeFile, chunks: string): string {
  let count = 0;
  const code = withImports(text, (names, file) => {
    const all = `all${count++}`;
    return `import ${all} from "./${chunks}/${file}";\nconst ${names} = ${all};`;
  });
  return transformSync(code, { ...smaller, format: "esm" }).code;
}

/**
 * Writes the two files that an import of the package names. They only pass on: Deno keeps compiled
 * code by path and by V8's hash, which is the length for a text of more than 16,383 characters, so
 * after an update it would run a long file of the previous version. The folder of the chunks is
 * named after their content for the same reason.
 */
async function writeEntry(path: string, code: string, exports: readonly string[]): Promise<void> {
  const from = relative(dirname(path), code).replace(/^(?!\.)/, "./");
  const names = exports.join(", ");
  await write(
    `${path}.js`,
    `const { ${names} } = require("${from}");\nmodule.exports = { ${names} };\n`,
  );
  await write(
    `${path}.mjs`,
    `import entry from "./${basename(path)}.js";\nexport const { ${names} } = entry;\n`,
  );
}

function digestOf(files: ReadonlyArray<{ name: string; text: string }>): string {
  const hash = createHash("sha256");
  for (const { name, text } of files) hash.update(name).update(text);
  return hash.digest("hex").slice(0, 8);
}

/** Returns the name of an entry among the chunks. */
function chunkOf(entry: string): string {
  return entry.replaceAll("/", "-");
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
