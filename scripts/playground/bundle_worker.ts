import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bundle, minify } from "../bundle.ts";
import { reachable } from "../files.ts";

/** A file of the playground, below its folder. */
export interface PlaygroundFile {
  path: string;
  content: string;
}

/** How every script and style is made. */
export const forBrowsers = {
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  charset: "utf8",
} as const;

type Metafile = ReturnType<typeof bundle>["metafile"];
type Outputs = ReadonlyMap<string, Metafile["outputs"][string]>;

/**
 * What the first page of a lab loads on request: it comes with the lab here, the rest when it is
 * used. A feature among them may have been deleted.
 */
const firstPage = [
  "lab/routes/front_pages.tsx",
  "lab/routes/handle_page.ts",
  "lab/features/providers/pages/played_providers.tsx",
  "lab/features/enterprise/pages/enterprise_section.tsx",
  "server/pages/render_element.ts",
];

/**
 * Bundles the lab. esbuild splits it into hundreds of chunks; those that the first page loads are
 * joined in one file, from which the others import.
 */
export async function bundleWorker(): Promise<PlaygroundFile[]> {
  await mkdir(".build", { recursive: true });
  const work = await mkdtemp(join(process.cwd(), ".build", "playground-"));
  try {
    const { metafile } = bundle({
      ...forBrowsers,
      stdin: {
        contents: [...firstPage, "playground/worker.ts"]
          .map((path) => join("src", path))
          .filter((path) => existsSync(path))
          .map((path) => `import "./${path}";`).join("\n"),
        resolveDir: process.cwd(),
        sourcefile: "worker.js",
      },
      alias: await joseWithoutEncryption(work),
      outdir: work,
      entryNames: "worker",
      chunkNames: "[name]-[hash]",
      splitting: true,
      external: ["node:*"],
    });
    return await joinFirst(metafile, work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Few tokens are encrypted. What does it loads later, but the index of jose would load it at once.
 */
async function joseWithoutEncryption(work: string): Promise<Record<string, string>> {
  const index = fileURLToPath(import.meta.resolve("jose"));
  // The names of chunks follow from the paths of what is in them: a build twice has the same.
  const jose = join(dirname(work), "jose_without_encryption.js");
  const exported = (await readFile(index, "utf8")).split("\n")
    .filter((line) => /^import/.test(line) && !/\/jwe\/|\/jwt\/(?:en|de)crypt/.test(line))
    .map((line) => line.replace("import", "export").replace(".", dirname(index)));
  await writeFile(join(work, "jose.js"), exported.join("\n"));
  await rename(join(work, "jose.js"), jose);
  const own = ["jwe/compact/encrypt", "jwe/compact/decrypt"]
    .map((name) => [`jose/${name}`, join(dirname(index), `${name}.js`)]);
  return { jose, ...Object.fromEntries(own) };
}

/** Joins the chunks that load at once in `worker.js`, and lets the others import from there. */
async function joinFirst(metafile: Metafile, work: string): Promise<PlaygroundFile[]> {
  const outputs: Outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const first = loadedAtOnce("worker.js", outputs);
  const later = [...outputs.keys()].filter((chunk) => !first.includes(chunk));
  const others = await Promise.all(later.map(async (path) => {
    const text = await readFile(join(work, path), "utf8");
    return { path, text: importJoined(text, first) };
  }));
  const joined = { path: "worker.js", text: await joinChunks(first, later, outputs, work) };
  const smaller = await readStaticTexts(metafile);
  return [joined, ...others].map(({ path, text }) => ({
    path,
    content: smaller.reduce(
      (less, [literal, minifiedText]) => less.replace(literal, () => minifiedText),
      text,
    ),
  }));
}

/** Bundles the chunks that load at once as one, which exports what the later ones import. */
async function joinChunks(
  first: readonly string[],
  later: readonly string[],
  outputs: Outputs,
  work: string,
): Promise<string> {
  // What they load on request, and is only an export of theirs, is there already.
  const entries = later.filter((chunk) =>
    Object.keys(outputs.get(chunk)?.inputs ?? {}).length === 0 &&
    loadedAtOnce(chunk, outputs).every((each) => each === chunk || first.includes(each))
  );
  for (const chunk of first) await takeFrom(entries, join(work, chunk));
  await writeFile(join(work, "entries.js"), "export const entries = [];");
  const exported = first.flatMap((chunk, at) =>
    outputs.get(chunk)?.exports.map((name) =>
      `export { ${name} as ${name}_${at} } from "./${chunk}";`
    )
  );
  const taken = entries.map((chunk, at) =>
    `import * as entry${at} from "./${chunk}"; entries[${at}] = entry${at};`
  );
  const own = ['import { entries } from "./entries.js";', ...taken, 'import "./worker.js";'];
  const external = later.filter((chunk) => !entries.includes(chunk)).map((chunk) => `./${chunk}`);
  const { outputFiles } = bundle({
    ...forBrowsers,
    write: false,
    absWorkingDir: work,
    stdin: { contents: [...exported, ...own].join("\n"), resolveDir: work },
    external: ["node:*", ...external],
  });
  return outputFiles?.[0]?.text ?? "";
}

/** Lets a chunk take from a list what it would load on request. */
async function takeFrom(entries: readonly string[], path: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const own = text.replaceAll(/\bimport\("\.\/([^"]+)"\)/g, (whole, chunk) => {
    const at = entries.indexOf(chunk);
    return at < 0 ? whole : `Promise.resolve(entries[${at}])`;
  });
  if (own !== text) await writeFile(path, `import { entries } from "./entries.js";${own}`);
}

/** Lets a script import from `worker.js` what was in chunks. */
function importJoined(text: string, chunks: readonly string[]): string {
  return text.replaceAll(
    /import(?:\{([^}]*)\}from)?"\.\/([^"]+)";/g,
    (whole, names: string | undefined, chunk) => {
      const at = chunks.indexOf(chunk);
      if (at < 0) return whole;
      const renamed = names?.split(",").map((each) => {
        const [name, as = name] = each.split(" as ");
        return `${name}_${at} as ${as}`;
      });
      return renamed ? `import{${renamed.join()}}from"./worker.js";` : "";
    },
  );
}

/** Returns the literal of each script and style that the lab serves, and a smaller one. */
async function readStaticTexts({ inputs }: Metafile): Promise<Array<[string, string]>> {
  const paths = Object.keys(inputs).filter((path) => /^static\/[^/]*\.(css|js)$/.test(path));
  return await Promise.all(paths.map(async (path): Promise<[string, string]> => {
    const text = await readFile(path, "utf8");
    const loader = path.endsWith(".css") ? "css" : "js";
    const literal = `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
    return [literal, JSON.stringify(minify(text, { ...forBrowsers, loader }))];
  }));
}

/** Returns the files that one loads at once, and itself. */
function loadedAtOnce(start: string, outputs: Outputs): string[] {
  const importsOf = (name: string) =>
    (outputs.get(name)?.imports ?? [])
      .filter(({ kind, external }) => kind === "import-statement" && !external)
      .map(({ path }) => basename(path));
  return [...reachable([start], importsOf)];
}
