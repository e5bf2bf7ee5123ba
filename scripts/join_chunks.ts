import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "./bundle.ts";
import { findGroups, type Group } from "./chunk_groups.ts";
import { type CodeFile, importStatement, namesIn, namesUsed } from "./code_file.ts";

/** The file that a chunk goes to, and the suffix of what it exports there. */
interface Home {
  path: string;
  suffix: string;
}

/** What Node has to understand. */
export const target = "node20.19";

/** What starts the path of an import from another group. */
const outside = "outside:";
/** esbuild puts it before each source. */
const pathComment = /^\/\/ (?=(?:src|static|packages)\/)/gm;

/**
 * Joins the chunks that are loaded together. esbuild makes one for each set of entry points and
 * dynamic imports that share code: some two hundred, and a process spends a third of its way to the
 * first token with finding and opening them.
 *
 * Each chunk goes to the smallest entry that loads it, so that no entry loads what only a larger
 * one needs. What loads only when it is used stays in files of its own.
 */
export function joinChunks(given: readonly CodeFile[], work: string): CodeFile[] {
  const files = given.flatMap((file) => isLongEntry(file) ? splitEntry(file) : [file]);
  const groups = findGroups(files);
  const homes = findHomes(groups);
  const joined = groups.map((group) => joinGroup(group, files, homes, work));
  const apart = files.filter(({ path }) => !homes.has(basename(path)));
  return [...apart, ...joined].map((file) => ({ ...file, text: withHomes(file.text, homes) }));
}

/** Whether V8 hashes the code of an entry by its length alone, with which Deno keeps it. */
function isLongEntry({ isEntry, isProgram, text }: CodeFile): boolean {
  return isEntry && !isProgram && text.length > 16_383;
}

/** Moves the code of an entry to a chunk, whose path is another in each build. */
function splitEntry(entry: CodeFile): CodeFile[] {
  const path = `chunks/own-${basename(entry.path)}`;
  const folder = dirname(entry.path);
  const text = entry.text.replace(
    /(?<=(?:from |\bimport\()")\.[^"]*/g,
    (to) => pathBetween("chunks", join(folder, to)),
  );
  const names = `{ ${entry.exports.join(", ")} }`;
  const passedOn = `import ${names} from "${pathBetween(folder, path)}";\nexport ${names};\n`;
  return [
    { ...entry, path, text, isEntry: false, isShared: true },
    { ...entry, text: passedOn, isReadable: false },
  ];
}

/** Returns the path to a file, as code in a folder imports it. */
function pathBetween(folder: string, file: string): string {
  const path = relative(folder, file);
  return path.startsWith(".") ? path : `./${path}`;
}

function findHomes(groups: readonly Group[]): Map<string, Home> {
  const members = groups.flatMap(({ path, chunks }) => chunks.map((chunk) => ({ path, chunk })));
  return new Map(
    members.map(({ path, chunk }, at) => [basename(chunk.path), { path, suffix: `$${at}` }]),
  );
}

function joinGroup(
  { path, chunks }: Group,
  files: readonly CodeFile[],
  homes: ReadonlyMap<string, Home>,
  work: string,
): CodeFile {
  const folder = join(work, basename(path, ".js"));
  writeChunks(chunks, folder);
  const used = namesUsed(files.filter((file) => !chunks.includes(file)));
  const exported = chunks.flatMap((chunk) => {
    const file = basename(chunk.path);
    const names = chunk.exports.filter((name) => used.get(file)?.has(name));
    return names.map((name) => ({ file, name, as: `${name}${homes.get(file)?.suffix}` }));
  });
  const lines = exported.map(({ file, name, as }) =>
    `export { ${name} as ${as} } from "./${file}";`
  );
  writeFileSync(join(folder, path), lines.join("\n"));
  return {
    ...chunks[0]!,
    path,
    text: bundleGroup(folder, path, files),
    exports: exported.map(({ as }) => as),
    isReadable: chunks.some(({ isReadable }) => isReadable),
  };
}

/**
 * Writes what is bundled once more. What it imports from other groups, it imports by way of files
 * that pass it on: esbuild gives each import from outside a name of its own, and `isObject7` is
 * hard to read.
 */
function writeChunks(chunks: readonly CodeFile[], folder: string): void {
  const own = new Set(chunks.map(({ path }) => basename(path)));
  for (const name of ["chunks", "outside"]) mkdirSync(join(folder, name), { recursive: true });
  for (const { path, text } of chunks) {
    const code = text.replace(importStatement, (statement, list: string, from: string) => {
      const name = basename(from);
      return own.has(name) ? statement : `import {${list}} from "../outside/${name}";\n`;
    });
    // The comments with the paths of sources are needed once more.
    writeFileSync(join(folder, path), code.replace(pathComment, "//! "));
  }
  for (const [name, names] of namesUsed(chunks)) {
    const passedOn = `export { ${[...names].join(", ")} } from "${outside}${name}";`;
    writeFileSync(join(folder, "outside", name), passedOn);
  }
}

function bundleGroup(folder: string, path: string, files: readonly CodeFile[]): string {
  const later = files.filter(({ isShared }) => !isShared).map((file) => join(folder, file.path));
  const { outputFiles: [file] = [] } = bundle({
    entryPoints: [join(folder, path)],
    outdir: dirname(join(folder, path)),
    external: [...optionalPackages, `${outside}*`, ...later],
    legalComments: "inline",
    target,
    write: false,
  });
  const ownComment = new RegExp(`^// ${relative(process.cwd(), folder)}/.*\\n`, "gm");
  return file!.text
    .replace(ownComment, "")
    .replace(/^\/\/! /gm, "// ")
    .replaceAll(`"${outside}`, '"./');
}

/** Imports from the joined files what was in chunks, with one statement for each file. */
function withHomes(text: string, homes: ReadonlyMap<string, Home>): string {
  const lists = new Map<string, string[]>();
  const rest = text.replace(importStatement, (statement, list: string, path: string) => {
    const home = homes.get(basename(path));
    if (!home) return statement;
    const from = `${dirname(path)}/${basename(home.path)}`;
    const names = namesIn(list).map(({ name, as }) => `${name}${home.suffix} as ${as}`);
    lists.set(from, [...lists.get(from) ?? [], ...names]);
    return "";
  });
  const statements = [...lists].map(([from, names]) =>
    `import { ${names.join(", ")} } from "${from}";\n`
  );
  return statements.join("") + rest;
}
