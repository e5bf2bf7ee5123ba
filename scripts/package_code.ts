import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "./bundle.ts";
import { type CodeFile, findNeeds } from "./code_files.ts";
import { reachable } from "./files.ts";
import { joinChunks, packageOptions } from "./join_chunks.ts";

/** What an import of the package loads: "serve" is `hallpass/serve`. */
export interface PackageEntry {
  name: string;
  source: string;
}

type Metafile = ReturnType<typeof bundle>["metafile"];

/** esbuild makes a chunk of each entry that others import, so that it can be loaded by itself. */
const moduleStart = "module-";

/**
 * Writes the code of the npm package. Returns esbuild's report on the packages in it.
 *
 * There is one copy of the code, in CommonJS, because every loader takes that: Node, Jest with its
 * defaults, Deno, Bun and bundlers. For `import`, each entry has a module beside it that passes the
 * same objects on, so that a program which loads the package both ways has one `LabError`.
 */
export async function writeCode(
  entries: readonly PackageEntry[],
  program: PackageEntry,
  folder: string,
): Promise<Metafile> {
  const { metafile, files } = splitCode(entries, program);
  const work = join(process.cwd(), ".build", `packages-${process.pid}`);
  try {
    const joined = joinChunks(files, await findNeeds(files, work), work);
    const library = joined.library();
    const chunks = `chunks-${digestOf(library)}`;
    for (const { name, text } of library) await write(join(folder, chunks, name), text);
    for (const { name } of entries) {
      const { exports } = files.find((file) => file.name === fileOf(name))!;
      await writeEntry(join(folder, name), join(folder, chunks, fileOf(name)), exports);
    }
    const code = joined.program(chunks);
    await write(join(folder, `${program.name}.mjs`), `#!/usr/bin/env node\n${code}`);
    return metafile;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Bundles everything, and splits it into the modules of a lab, and what else is loaded at once or
 * later.
 */
function splitCode(
  entries: readonly PackageEntry[],
  program: PackageEntry,
): { metafile: Metafile; files: CodeFile[] } {
  const points = [...entries, program].map(({ name, source }) => ({
    in: source,
    out: basename(fileOf(name), ".js"),
  }));
  const modules = modulesOf("src/lab/testing/mod.ts", split(points).metafile);
  const own = modules.filter((path) => points.every((point) => point.in !== path));
  const { metafile, outputFiles = [] } = split([
    ...points,
    ...own.map((path, at) => ({ in: `./${path}`, out: `${moduleStart}${at}` })),
  ]);
  const kindOf = (source: string | undefined): CodeFile["kind"] => {
    if (source === undefined) return "chunk";
    if (source === program.source) return "program";
    return entries.some((entry) => entry.source === source) ? "entry" : "later";
  };
  const code = Object.entries(metafile.outputs).filter(([path]) =>
    path.endsWith(".js") && !basename(path).startsWith(moduleStart)
  );
  const files = code.map(([path, { exports, entryPoint, imports }]) => {
    const importsOf = (wanted: string) =>
      imports.filter(({ kind, external }) => kind === wanted && !external)
        .map((imported) => basename(imported.path));
    return {
      name: basename(path),
      text: outputFiles.find((file) => relative(process.cwd(), file.path) === path)!.text,
      exports,
      imports: importsOf("import-statement"),
      importsLater: importsOf("dynamic-import"),
      kind: kindOf(entryPoint),
    };
  });
  return { metafile, files };
}

function split(entryPoints: Array<{ in: string; out: string }>): ReturnType<typeof bundle> {
  return bundle({
    ...packageOptions,
    // esbuild would load encryption, which one feature needs later, with every other part of jose.
    external: [...optionalPackages, "jose/jwe/*"],
    entryPoints,
    outdir: "out/code",
    splitting: true,
    chunkNames: "[name]-[hash]",
    // The program reads the JSON Schema from the file that the package exports.
    loader: { ".schema.json": "copy" },
    assetNames: "../[name]",
  });
}

/** Returns the modules that one loads at once, but for those that may also be loaded later. */
function modulesOf(start: string, { inputs }: Metafile): string[] {
  const importsOf = (path: string, wanted: string) =>
    inputs[path]!.imports.filter(({ kind, external }) => kind === wanted && !external)
      .map((imported) => imported.path);
  const later = new Set(Object.keys(inputs).flatMap((path) => importsOf(path, "dynamic-import")));
  const found = reachable([start], (path) => importsOf(path, "import-statement"));
  return [...found].filter((path) => inputs[path]!.format === "esm" && !later.has(path));
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
  await write(`${path}.js`, `module.exports = require("${from}");\n`);
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

/** Returns the file of an entry among the chunks. */
function fileOf(entry: string): string {
  return `${entry.replaceAll("/", "-")}.js`;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
