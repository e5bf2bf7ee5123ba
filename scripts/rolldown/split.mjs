// Splits code into files, and writes a report on them with their texts.
//
//   node split.mjs OPTIONS.json REPORT.json
import { readFile, writeFile } from "node:fs/promises";
import { basename, relative } from "node:path";
import process from "node:process";
import { build } from "rolldown";

const [, , options = "{}", report] = process.argv;
const { input, platform, target, minify, external, beside, virtual, texts, groups } = JSON.parse(
  await readFile(options, "utf8"),
);
const entries = Object.values(input);

/** Modules that are in no file, and texts that the code serves. */
const ours = {
  name: "ours",
  resolveId: (id) => {
    if (id in virtual) return id;
    return new RegExp(beside).test(id) ? { id: `../${basename(id)}`, external: true } : undefined;
  },
  load: async (id) => {
    if (id in virtual) return virtual[id];
    const path = pathOf(id);
    if (!/(?:^|\/)static\/.*\.(?!json)\w+$/.test(path)) return undefined;
    return { code: texts[path] ?? await readFile(id, "utf8"), moduleType: "text" };
  },
};

function pathOf(id) {
  return relative(process.cwd(), id).replaceAll("\\", "/");
}

/** Returns the name of the file for a module; null leaves it to Rolldown. */
function fileOf(id) {
  const path = pathOf(id);
  if (groups) return groups[path] ?? null;
  return entries.includes(path) ? null : path.replace(/\W/g, "_");
}

const { output } = await build({
  input,
  platform,
  external: external.map((pattern) => new RegExp(pattern)),
  transform: { target, jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [ours],
  // One file for what loads at once may have what others load later.
  checks: { ineffectiveDynamicImport: false },
  tsconfig: false,
  write: false,
  preserveEntrySignatures: "allow-extension",
  output: {
    minify,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "groups", name: fileOf }],
    },
  },
});
const chunks = output.filter(({ type }) => type === "chunk");
const own = new Set(chunks.map(({ fileName }) => fileName));
const files = chunks.map(({ fileName, code, exports, imports, dynamicImports, moduleIds }) => ({
  name: fileName,
  text: code,
  exports,
  imports: imports.filter((name) => own.has(name)),
  importsLater: dynamicImports.filter((name) => own.has(name)),
  modules: moduleIds.map(pathOf),
}));
await writeFile(report, JSON.stringify(files));
