/**
 * Prints figures about the source of one or more checkouts, side by side. They show where we stand
 * and are no goal: never split a thing, or squeeze a name, to please a figure.
 *
 *   deno task figures [--package] [CHECKOUT …]
 *
 * With --package, the package of each checkout is built to measure its size.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, normalize, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { succeed } from "./child.ts";

interface SourceFile {
  /** Below `src`. */
  path: string;
  text: string;
  /** The text without comments. */
  code: string;
}

type Figure = [name: string, measure: (files: readonly SourceFile[]) => number | string];

const maxColumns = 100;

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const nonNullAssertion = /[\w)\]]!(?=[.,;)\]\[}]|\s*$| as )/gm;
const typeDeclaration = /^(?:export )?(?:declare )?(?:type|interface|class) (\w+)\b(?! from)/gm;
const importedModule = /(?:^|\n)(?:import|export)\s(?!type\b)[^"';]*?from\s+"(\.[^"]+)"/g;

const figures: readonly Figure[] = [
  ["source files", (files) => files.length],
  ["code lines", (files) => codeLines(files).length],
  ["characters per code line", (files) => meanLength(codeLines(files))],
  ["without indentation", (files) => meanLength(codeLines(files).map(trim))],
  [`lines over ${maxColumns} columns`, (files) => longLines(files).length],
  ["comments", (files) => matches(files, ({ text }) => text.match(comment)).length],
  ["files in longest import chain", (files) => longestChain(files).length],
  [
    "non-null assertions",
    (files) => matches(files, (file) => file.code.match(nonNullAssertion)).length,
  ],
  ["type names declared twice", (files) => duplicates(files.flatMap(typesIn)).length],
  [
    "file names in two folders",
    (files) => duplicates(files.map(({ path }) => basename(path))).length,
  ],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { package: { type: "boolean", default: false } },
});
const checkouts = positionals.length > 0 ? positionals : ["."];

const sources = checkouts.map(readSources);
if (checkouts.length > 1) printRow("", checkouts.map((path) => basename(resolve(path))));
for (const [name, measure] of figures) printRow(name, sources.map((files) => `${measure(files)}`));
if (values.package) {
  printRow("size of the package in kB", await Promise.all(checkouts.map(packageSize)));
}

function printRow(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(32) + cells.map((cell) => cell.padStart(14)).join(""));
}

function readSources(checkout: string): SourceFile[] {
  const folder = join(checkout, "src");
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.filter((path) => /\.tsx?$/.test(path)).map((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    return { path, text, code: text.replace(comment, "") };
  });
}

function codeLines(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ code }) => code.split("\n")).filter((line) => line.trim() !== "");
}

function trim(line: string): string {
  return line.trim();
}

function meanLength(lines: readonly string[]): string {
  return (lines.reduce((sum, line) => sum + line.length, 0) / lines.length).toFixed(1);
}

function longLines(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ text }) => text.split("\n")).filter((line) => line.length > maxColumns);
}

function matches(
  files: readonly SourceFile[],
  find: (file: SourceFile) => RegExpMatchArray | null,
): string[] {
  return files.flatMap((file) => [...find(file) ?? []]);
}

function typesIn({ code }: SourceFile): string[] {
  return [...code.matchAll(typeDeclaration)].flatMap(([, name]) => name ?? []);
}

function duplicates(names: readonly string[]): string[] {
  const repeated = names.filter((name, at) => names.indexOf(name) !== at);
  return [...new Set(repeated)];
}

/**
 * Returns the files of the longest chain of imports. Imports of types are erased, and do not count.
 */
function longestChain(files: readonly SourceFile[]): readonly string[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const chains = new Map<string, readonly string[]>();
  const chainFrom = (path: string): readonly string[] => {
    const known = chains.get(path);
    if (known) return known;
    // A file of a cycle ends the chain.
    chains.set(path, [path]);
    const chain = [path, ...longest((imports.get(path) ?? []).map(chainFrom))];
    chains.set(path, chain);
    return chain;
  };
  return longest([...imports.keys()].map(chainFrom));
}

function importsOf({ path, code }: SourceFile): string[] {
  return [...code.matchAll(importedModule)]
    .flatMap(([, target]) => target ?? [])
    .map((target) => normalize(join(dirname(path), target)))
    .filter((target) => /\.tsx?$/.test(target));
}

function longest(chains: ReadonlyArray<readonly string[]>): readonly string[] {
  return chains.reduce((one, other) => other.length > one.length ? other : one, []);
}

async function packageSize(checkout: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hallpass-package-"));
  try {
    const run = ["run", "--allow-all", "--no-check"];
    await succeed([process.execPath, ...run, "scripts/build.ts", folder], resolve(checkout));
    return `${Math.round(sizeOf(folder) / 1000)}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, stats) => stats.isFile() ? sum + stats.size : sum, 0);
}
