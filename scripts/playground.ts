/**
 * Builds the playground, a lab in a browser tab: static files for any host, at the root or below a
 * path.
 *
 *   deno task playground [FOLDER] [--serve] [--port N]
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { renderToString } from "preact-render-to-string";
import { providerNames } from "../src/lab/features/providers/config.ts";
import { loadPreset } from "../src/lab/features/providers/presets.ts";
import { Shell } from "../src/playground/shell.tsx";
import { serve } from "../src/runtime/serve.ts";
import { bundle, minify } from "./bundle.ts";

/** A file of the playground, below its folder. */
export interface PlaygroundFile {
  path: string;
  text: string;
}

type Metafile = ReturnType<typeof bundle>["metafile"];
type Outputs = ReadonlyMap<string, Metafile["outputs"][string]>;

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

const options = {
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  charset: "utf8",
} as const;

/** What starts a lab, on the machine of whoever looks at the playground. */
const commands = ["npx -y deno task start", "npx -y deno task build"];

/** Builds every file, the page itself last. */
export async function buildPlayground(): Promise<PlaygroundFile[]> {
  const [colors = ""] = /^:root [^}]*}/.exec(await readFile("static/style.css", "utf8")) ?? [];
  const style = colors + await readFile("static/playground.css", "utf8");
  const own = [
    ...await buildWorker(),
    { path: "shell.js", text: scriptOf("src/playground/shell.ts") },
    { path: "application.js", text: scriptOf("src/playground/application.ts", { format: "esm" }) },
    { path: "playground.css", text: minify(style, { ...options, loader: "css" }) },
    { path: "icon.svg", text: await readFile("static/icon.svg", "utf8") },
  ];
  const hash = createHash("sha256");
  for (const { path, text } of own) hash.update(path).update(text);
  const version = hash.digest("hex").slice(0, 8);
  const files = `files-${version}/`;
  const placed = own.map(({ path, text }) => ({ path: files + path, text }));
  const presets = await Promise.all(providerNames.map(loadPreset));
  const providers = presets.map(({ name, title }) => [name, title] as const);
  const page = renderToString(Shell({ files, providers, commands }));
  return [
    ...placed,
    { path: `${files}files.json`, text: JSON.stringify(own.map(({ path }) => path)) },
    {
      path: "sw.js",
      text: scriptOf("src/playground/service_worker.ts", {
        define: { playgroundVersion: JSON.stringify(version) },
      }),
    },
    { path: "index.html", text: `<!doctype html>${page}\n` },
  ];
}

function scriptOf(entry: string, more: Parameters<typeof bundle>[0] = {}): string {
  const { outputFiles } = bundle({
    ...options,
    write: false,
    entryPoints: [entry],
    format: "iife",
    ...more,
  });
  return outputFiles?.[0]?.text ?? "";
}

/**
 * Bundles the lab. esbuild splits it into hundreds of chunks; those that the first page loads are
 * joined in one file, from which the others import.
 */
async function buildWorker(): Promise<PlaygroundFile[]> {
  await mkdir(".build", { recursive: true });
  const work = await mkdtemp(join(process.cwd(), ".build", "playground-"));
  try {
    const { metafile } = bundle({
      ...options,
      // The first page of a lab loads with it; the rest does when it is used.
      stdin: {
        contents:
          'import "./src/lab/pages/routes/front_pages.tsx"; import "./src/playground/worker.ts"',
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
  const jose = join(work, "jose.js");
  const exported = (await readFile(index, "utf8")).split("\n")
    .filter((line) => /^import/.test(line) && !/\/jwe\/|\/jwt\/(?:en|de)crypt/.test(line))
    .map((line) => line.replace("import", "export").replace(".", dirname(index)));
  await writeFile(jose, exported.join("\n"));
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
  const lines = first.flatMap((chunk, at) =>
    outputs.get(chunk)?.exports.map((name) =>
      `export { ${name} as ${name}_${at} } from "./${chunk}";`
    )
  );
  const { outputFiles } = bundle({
    ...options,
    write: false,
    absWorkingDir: work,
    stdin: { contents: [...lines, 'import "./worker.js";'].join("\n"), resolveDir: work },
    external: ["node:*", ...later.map((chunk) => `./${chunk}`)],
  });
  const joined = { path: "worker.js", text: outputFiles?.[0]?.text ?? "" };
  const others = await Promise.all(later.map(async (path) => {
    const text = await readFile(join(work, path), "utf8");
    return { path, text: importJoined(text, first) };
  }));
  const smaller = await readStaticTexts(metafile);
  return [joined, ...others].map(({ path, text }) => ({
    path,
    text: smaller.reduce(
      (less, [literal, minifiedText]) => less.replace(literal, () => minifiedText),
      text,
    ),
  }));
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
    return [literal, JSON.stringify(minify(text, { ...options, loader }))];
  }));
}

/** Returns the files that one loads at once, and itself. */
function loadedAtOnce(start: string, outputs: Outputs): string[] {
  const found = new Set([start]);
  // The loop comes to those that it adds, too.
  for (const name of found) {
    for (const { kind, path, external } of outputs.get(name)?.imports ?? []) {
      if (kind === "import-statement" && !external) found.add(basename(path));
    }
  }
  return [...found];
}

/** Serves files as a static host does, below a path: on a free port, unless one is named. */
export async function servePlayground(files: readonly PlaygroundFile[], path = "/", port = 0) {
  const byUrl = new Map(files.map((file) => [path + file.path, file]));
  return await serve({
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const file = byUrl.get(pathname === path ? `${path}index.html` : pathname);
      if (!file) return new Response("Not found", { status: 404 });
      const type = types[extname(file.path)] ?? "application/octet-stream";
      return new Response(file.text, { headers: { "Content-Type": type } });
    },
  }, { port });
}

const usage = `Usage: npx -y deno task playground [FOLDER] [OPTIONS]

Builds the playground, a lab in a browser tab, in FOLDER (default dist/playground).

  --serve   serves it on this machine
  --port N  the port for --serve (default: a free one)
  --help    prints this`;

/** Reads the command line, or returns in one sentence what is wrong with it. */
function readCommandLine() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        serve: { type: "boolean", default: false },
        port: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    const [folder = "dist/playground", ...more] = positionals;
    const port = Number(values.port ?? 0);
    if (more.length > 0) return "There can be only one folder.";
    if (!(port <= 65_535)) return `--port must be a number up to 65535, not '${values.port}'.`;
    if (values.port !== undefined && !values.serve) return "--port needs --serve.";
    return { ...values, port, folder };
  } catch (cause) {
    // What follows the first sentence says how to pass a file whose name begins with a dash.
    const [sentence] = (cause as Error).message.split(/\. |\n/);
    return `${sentence?.replace(/\.$/, "")}.`;
  }
}

async function main(): Promise<void> {
  const asked = readCommandLine();
  if (typeof asked === "string") {
    console.error(asked);
    process.exitCode = 2;
    return;
  }
  if (asked.help) return console.log(usage);
  const { folder } = asked;
  const files = await buildPlayground();
  await rm(folder, { recursive: true, force: true });
  for (const { path, text } of files) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  console.log(`Built the playground in ${folder}. Any host of static files serves it.`);
  if (asked.serve) {
    const { port } = await servePlayground(files, "/", asked.port);
    console.log(`Open http://localhost:${port}/`);
  } else {
    console.log("To look at it here: npx -y deno task playground --serve");
  }
}

if (import.meta.main) await main();
