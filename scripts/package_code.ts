import "./without_workers.ts";
import { type TransformOptions, transformSync } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "./bundle.ts";
import type { CodeFile } from "./code_file.ts";
import { joinChunks, target } from "./join_chunks.ts";

/** What an import of the package loads: "serve" is `hallpass/serve`. */
export interface PackageEntry {
  name: string;
  source: string;
}

type Metafile = ReturnType<typeof bundle>["metafile"];

/** The modules of other packages that our code imports. JSX imports the one of preact by itself. */
const packageModules = ["jose", "preact/jsx-runtime", "preact-render-to-string", "srvx/node"];
const asCommonJs: TransformOptions = { format: "cjs", platform: "node" };
const jsxNames = ["Fragment", "jsx", "jsxs"];

/** The default of a dynamic import: a module of Node that is required instead has none. */
const lostDefault = /\bimport\("[^"]*"\)\)*\.default\b|\{ default: \w+ \} = await import\(/;

/** Folders and files with the code behind what a test calls, which stays readable. */
const steppedThrough = [
  "src/lab/testing/",
  "src/lab/browser/",
  "src/lab/hooks/",
  "src/lab/members/",
  "src/lab/sign_in/",
  "src/lab/faults/faults.ts",
  "src/lab/handling/dispatch.ts",
  "src/lab/handling/handle_exchange.ts",
  "src/lab/handling/prepare_response.ts",
  "src/lab/handling/record_and_respond.ts",
  "src/lab/open_lab.ts",
  "src/lab/tokens/mint.ts",
  "src/lab/util/clock.ts",
];
/** What a test loads, but does not step through. The rest is minified, too. */
const neverSteppedThrough = ["src/lab/testing/store_contract.ts"];

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
  const work = join(process.cwd(), ".build", `packages-${process.pid}`);
  try {
    const metafile = await bundlePackages(work);
    const files = withoutEffects(bundleOwn([...entries, program], program, work));
    for (const file of withDigest(withShortExports(joinChunks(files, work)).map(convert))) {
      await write(join(folder, file.path), file.text);
      const entry = entries.find(({ name }) => file.path === `${name}.js`);
      if (entry) await write(join(folder, `${entry.name}.mjs`), passOn(entry.name, file.exports));
    }
    return metafile;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function convert(file: CodeFile): CodeFile {
  if (!file.isProgram) return { ...file, text: toCommonJs(file) };
  return { ...file, path: file.path.replace(/js$/, "mjs"), text: toProgram(file) };
}

/**
 * Names the folder of the chunks after their content. Deno keeps compiled code by path and by V8's
 * hash, which is the length for a text of more than 16,383 characters: after an update, it would run
 * a chunk of the previous version.
 */
function withDigest(files: readonly CodeFile[]): CodeFile[] {
  const hash = createHash("sha256");
  for (const { path, text } of files) hash.update(path).update(text);
  const folder = `chunks-${hash.digest("hex").slice(0, 8)}`;
  return files.map(({ path, text, ...file }) => ({
    ...file,
    path: path.replace(/^chunks\b/, folder),
    text: text.replace(/(?<=["'`]\.\.?\/)chunks(?=\/)/g, folder),
  }));
}

/** Bundles what we use of other packages, minified. */
async function bundlePackages(folder: string): Promise<Metafile> {
  const sources = await readSources();
  const entryPoints = await Promise.all(
    packageModules.map(async (module) => {
      const names = module === "preact/jsx-runtime" ? jsxNames : namesImported(sources, module);
      const path = join(folder, `${fileOf(module)}.entry.js`);
      await write(path, `export { ${names.join(", ")} } from "${module}";`);
      return { in: path, out: fileOf(module) };
    }),
  );
  const options = { splitting: true, minify: true, legalComments: "none", target } as const;
  return bundle({ entryPoints, outdir: folder, ...options }).metafile;
}

async function readSources(): Promise<string[]> {
  const files = (await readdir("src", { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  return await Promise.all(files.map((file) => readFile(join("src", file), "utf8")));
}

/** Returns the names that sources import from a module, without types. */
function namesImported(sources: readonly string[], module: string): string[] {
  const statement = new RegExp(`^import \\{([^}]*)\\} from "${module}"`, "gm");
  const lists = sources.flatMap((text) =>
    [...text.matchAll(statement)].map(([, list = ""]) => list)
  );
  const names = lists.flatMap((list) => list.split(",")).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "" && !name.startsWith("type "));
}

function bundleOwn(
  entries: readonly PackageEntry[],
  program: PackageEntry,
  packages: string,
): CodeFile[] {
  const { metafile, outputFiles = [] } = bundle({
    entryPoints: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
    alias: Object.fromEntries(
      packageModules.map((module) => [module, join(packages, `${fileOf(module)}.js`)]),
    ),
    external: [...optionalPackages],
    outdir: "out",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    legalComments: "none",
    charset: "utf8",
    target,
    // The program reads the JSON Schema from the file that the package exports.
    loader: { ".schema.json": "copy" },
    assetNames: "[name]",
    write: false,
  });
  checkPaths([...steppedThrough, ...neverSteppedThrough], Object.keys(metafile.inputs));
  const code = Object.entries(metafile.outputs).filter(([output]) => output.endsWith(".js"));
  const rename = reproducibleNames(code, packages);
  return code.map(([output, { exports, entryPoint, inputs }]) => ({
    path: rename(relative("out", output)),
    text: prepare(rename(outputFiles.find(({ path }) => path.endsWith(output))!.text)),
    exports,
    isEntry: entries.some(({ source }) => source === entryPoint),
    isProgram: entryPoint === program.source,
    isReadable: Object.keys(inputs).some((input) => /^src\/lab\//.test(input)),
    isShared: entryPoint === undefined,
  })).sort((a, b) => a.path < b.path ? -1 : 1);
}

/** A file that was moved would be minified, and nothing else would tell. */
function checkPaths(paths: readonly string[], sources: readonly string[]): void {
  const gone = paths.filter((path) => !sources.some((source) => source.startsWith(path)));
  if (gone.length > 0) throw new Error(`The package has no source below ${gone.join(", ")}`);
}

/** Drops what esbuild keeps for the order of side effects, of which there are none. */
function withoutEffects(files: readonly CodeFile[]): CodeFile[] {
  return files.map((file) => ({ ...file, text: file.text.replace(/^import "\.[^"]*";\n/gm, "") }));
}

/**
 * Shortens the names by which files of the package import from each other. Thousands of them are
 * loaded, and nobody sees them: within a file, everything keeps its name.
 */
function withShortExports(files: readonly CodeFile[]): CodeFile[] {
  const shared = files.filter(({ isShared }) => isShared);
  const names = [...new Set(shared.flatMap(({ exports }) => exports))];
  const short = new Map(names.sort().map((name, at) => [name, shortName(at)]));
  const paths = new Set(shared.map(({ path }) => basename(path)));
  const shorten = (list: string, isImport: boolean) =>
    list.replace(
      /([\w$]+)(?: as ([\w$]+))?/g,
      (_, name: string, as: string = name) =>
        isImport ? `${short.get(name)} as ${as}` : `${name} as ${short.get(as)}`,
    );
  return files.map((file) => ({
    ...file,
    text: file.text
      .replace(
        /^import \{([^}]*)\} from "([^"]*)";$/gm,
        (statement, list: string, from: string) =>
          paths.has(basename(from)) ? `import {${shorten(list, true)}} from "${from}";` : statement,
      )
      .replace(
        /^export \{([^}]*)\};$/gm,
        (statement, list: string) =>
          file.isShared ? `export {${shorten(list, false)}};` : statement,
      ),
  }));
}

/** Returns a name for each number: `A`, `B` … `Z`, `AA`. None of them is a word of the language. */
function shortName(at: number): string {
  const last = String.fromCharCode("A".charCodeAt(0) + at % 26);
  return at < 26 ? last : shortName(Math.floor(at / 26) - 1) + last;
}

/** Prepares code for its conversion, as long as names and paths can still be seen in it. */
function prepare(code: string): string {
  return withSmallTexts(withClassNames(code));
}

/** Keeps the names of error classes, with which Node prints them. */
function withClassNames(code: string): string {
  return code.replace(/^var (\w+) = class extends \w+ \{$/gm, '$&\nstatic name = "$1";');
}

/** Minifies the style sheets and browser scripts, which are texts in the code. */
function withSmallTexts(code: string): string {
  return code.replace(
    /^\/\/ (static\/\S+\.(css|js))\nvar (\w+) = .*;$/gm,
    (_, path: string, loader: "css" | "js", name: string) => {
      const text = readFileSync(path, "utf8");
      const { code } = transformSync(text, { loader, minify: true, charset: "utf8" });
      return `// ${path}\nvar ${name} = ${JSON.stringify(code)};`;
    },
  );
}

/**
 * Returns a function that gives the chunks in a text names which are the same in every build. Those
 * of esbuild depend on the folder of the packages, which every build has for itself.
 */
function reproducibleNames(
  code: ReadonlyArray<[output: string, { inputs: object }]>,
  packages: string,
): (text: string) => string {
  const folder = relative(process.cwd(), packages);
  const chunks = code
    .filter(([output]) => output.startsWith("out/chunks/"))
    .map(([output, { inputs }]) => ({
      name: basename(output),
      key: Object.keys(inputs).join().replaceAll(folder, ""),
    }))
    .sort((a, b) => a.key < b.key ? -1 : 1);
  const names = chunks.map(({ name }, at) =>
    [name, `${name.replace(/-[^-]*$/, "")}-${at}.js`] as const
  );
  return (text) =>
    names.reduce((result, [from, to]) => result.replaceAll(from, to), text)
      .replaceAll(folder, "packages");
}

function fileOf(module: string): string {
  return module.replaceAll("/", "-");
}

/**
 * Converts a module to CommonJS. What people step through stays readable; tabs make it a tenth
 * smaller. What many entries share is ASCII: one other character, and V8 takes twice the memory for
 * the file.
 */
function toCommonJs({ path, text, isReadable, isShared }: CodeFile): string {
  const code = withRequire(text);
  const options: TransformOptions = { charset: isShared ? "ascii" : "utf8" };
  if (!isReadable) return minify(code, { ...options, ...asCommonJs });
  if (/^import |\bimport\(/m.test(code)) throw new Error(`Cannot convert an import of ${path}`);
  return sourceRuns(code).map(({ isReadable, text }, at, runs) => {
    if (isReadable) return withTabs(text);
    const others = runs.filter((_, other) => other !== at).map((run) => run.text).join("");
    return minify(withOwnScope(text, others), options);
  }).join("");
}

/** Consecutive sources that are all readable, or all minified. */
interface SourceRun {
  isReadable: boolean;
  text: string;
}

function sourceRuns(code: string): SourceRun[] {
  const runs: SourceRun[] = [];
  // esbuild puts a comment with its path before each source.
  for (const text of code.split(/^(?=\/\/ (?:src|static|packages)\/)/m)) {
    const path = /^\/\/ (\S+)\n/.exec(text)?.[1];
    const isReadable = path === undefined || isSteppedThrough(path);
    const last = runs.at(-1);
    if (last?.isReadable === isReadable) last.text += text;
    else runs.push({ isReadable, text });
  }
  return runs;
}

function isSteppedThrough(path: string): boolean {
  const startsPath = (start: string) => path.startsWith(start);
  return steppedThrough.some(startsPath) && !neverSteppedThrough.some(startsPath);
}

/** Gives code a scope of its own, in which all names become short but those that others use. */
function withOwnScope(code: string, others: string): string {
  const words = new Set(others.match(/[\w$]+/g));
  const names = declaredNames(code).filter((name) => words.has(name)).join(", ");
  return `const { ${names} } = (() => {\n${code}\nreturn { ${names} };\n})();\n`;
}

/**
 * Returns the names that esbuild's code declares at its top: `function a`, `var { b, c: d } = …`.
 */
function declaredNames(code: string): string[] {
  const single = [...code.matchAll(/^(?:async )?(?:function\*?|class|var|let|const) ([\w$]+)/gm)];
  const several = [...code.matchAll(/^(?:var|let|const) [[{](.*)[\]}] = /gm)];
  return [...single, ...several].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.replace(/^.*:/, "").trim())
  );
}

/**
 * Writes imports and exports as CommonJS has them. Jest rejects `import()` there, so it becomes
 * `require`, except that of a configuration, which may be an ES module. esbuild would write
 * `(0, import_chunk.name)(…)` for `name(…)`, in case `name` changes later; here none does.
 */
function withRequire(text: string): string {
  const [lost] = lostDefault.exec(text) ?? [];
  if (lost) throw new Error(`Cannot convert '${lost}' to CommonJS: use a named member.`);
  return text
    .replace(/^import (\w+) from ("[^"]*");$/gm, "const $1 = require($2);")
    .replace(/^import ("[^"]*");$/gm, "require($1);")
    .replace(
      /^import \{([^}]*)\} from ("[^"]*");$/gm,
      (_, names: string, file) => `const {${names.replaceAll(" as ", ": ")}} = require(${file});`,
    )
    .replace(/\bimport\(("[^"]*")\)/g, "Promise.resolve().then(() => require($1))")
    .replace(
      /^export \{([^}]*)\};$/gm,
      (_, names: string) =>
        `module.exports = {${names.replace(/(\S+) as (\S+?)(,?)$/gm, "$2: $1$3")}};`,
    );
}

function withTabs(code: string): string {
  return code.replace(/^(?: {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2));
}

/** Without a format, what is declared at the top of the code keeps its name. */
function minify(code: string, options: TransformOptions = {}): string {
  return transformSync(code, { minify: true, target, lineLimit: 1000, charset: "utf8", ...options })
    .code;
}

/**
 * The program stays a module, because it awaits at its top level, and is minified: only its users
 * run it.
 */
function toProgram({ text }: CodeFile): string {
  return `#!/usr/bin/env node\n${minify(text)}`;
}

function passOn(name: string, exported: readonly string[]): string {
  return `import entry from "./${basename(name)}.js";\nexport const { ${
    exported.join(", ")
  } } = entry;\n`;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
