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
import { providerNames } from "../src/lab/features/providers/lab_server.ts";
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
  write: false,
} as const;

/** What starts a lab, on the machine of whoever looks at the playground. */
const commands = ["npx -y deno task start", "npx -y deno task build"];

/** The modules of jose that sign and verify, and those that encrypt and decrypt. */
const signing = [
  ...["jws/compact/sign", "jws/compact/verify", "jwt/sign", "jwt/verify", "jwks/local"],
  ...["jwk/thumbprint", "key/import", "key/export", "key/generate_key_pair"],
  ...["util/decode_jwt", "util/decode_protected_header"],
];
const encryption = ["jwe/compact/encrypt", "jwe/compact/decrypt"];

/** What loads with the first page of a lab. The rest loads when it is used. */
const firstPage = `
import "./src/lab/pages/routes/front_pages.tsx";
import "./src/playground/worker.ts";
`;

/** Builds every file, the page itself last. */
export async function buildPlayground(): Promise<PlaygroundFile[]> {
  const [colors = ""] = /^:root [^}]*}/.exec(await readFile("static/style.css", "utf8")) ?? [];
  const style = colors + await readFile("static/playground.css", "utf8");
  const own = [
    ...await buildWorker(),
    { path: "shell.js", text: scriptOf("src/playground/shell.ts") },
    { path: "application.js", text: scriptOf("src/playground/application.ts", { format: "esm" }) },
    { path: "playground.css", text: minified(style, "css") },
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
  const { outputFiles } = bundle({ ...options, entryPoints: [entry], format: "iife", ...more });
  return outputFiles?.[0]?.text ?? "";
}

function minified(text: string, loader: "css" | "js"): string {
  const { write: _write, ...same } = options;
  return minify(text, { ...same, loader });
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
      stdin: { contents: firstPage, resolveDir: process.cwd(), sourcefile: "worker.js" },
      alias: await joseWithoutEncryption(work),
      outdir: work,
      entryNames: "worker",
      chunkNames: "[name]-[hash]",
      splitting: true,
      external: ["node:*"],
      write: true,
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
  const folder = dirname(fileURLToPath(import.meta.resolve("jose")));
  const at = (name: string) => JSON.stringify(join(folder, `${name}.js`));
  await writeFile(
    join(work, "jose.js"),
    [
      ...signing.map((name) => `export * from ${at(name)};`),
      `export * as errors from ${at("util/errors")};`,
      `export * as base64url from ${at("util/base64url")};`,
    ].join("\n"),
  );
  const own = encryption.map((name) => [`jose/${name}`, join(folder, `${name}.js`)]);
  return { jose: join(work, "jose.js"), ...Object.fromEntries(own) };
}

/** Joins the chunks that load at once in `worker.js`, and lets the others import from there. */
async function joinFirst(metafile: Metafile, work: string): Promise<PlaygroundFile[]> {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const first = loadedAtOnce("worker.js", metafile);
  const later = [...outputs.keys()].filter((name) =>
    !first.has(name) && outputs.get(name)?.entryPoint !== undefined
  );
  const exported = [...first].flatMap((chunk, at) =>
    (outputs.get(chunk)?.exports ?? []).map((name) => ({ chunk, name, as: `c${at}_${name}` }))
  );
  const lines = exported.map(({ chunk, name, as }) =>
    `export { ${name} as ${as} } from "./${chunk}";`
  );
  const joined = bundle({
    ...options,
    absWorkingDir: work,
    stdin: { contents: [...lines, 'import "./worker.js";'].join("\n"), resolveDir: work },
    outfile: join(work, "worker.js"),
    external: ["node:*", ...later.map((name) => join(work, name))],
  });
  for (const chunk of first) {
    const names = exported.filter((each) => each.chunk === chunk);
    const passedOn = names.map(({ as, name }) => `${as} as ${name}`);
    await writeFile(join(work, chunk), `export { ${passedOn.join()} } from "./joined.js";`);
  }
  const others = bundle({
    ...options,
    absWorkingDir: work,
    entryPoints: later.map((name) => join(work, name)),
    outdir: work,
    chunkNames: "later-[hash]",
    splitting: true,
    external: ["node:*", "*/joined.js"],
  });
  const files = [...joined.outputFiles ?? [], ...others.outputFiles ?? []];
  const smaller = await readStaticTexts(metafile);
  return files.map(({ path, text }) => ({
    path: basename(path),
    text: smaller.reduce(
      (smallerText, [literal, minifiedText]) => smallerText.replace(literal, () => minifiedText),
      text.replaceAll('"./joined.js"', '"./worker.js"'),
    ),
  }));
}

/** Returns the literal of each script and style that the lab serves, and a smaller one. */
async function readStaticTexts({ inputs }: Metafile): Promise<Array<[string, string]>> {
  const paths = Object.keys(inputs).filter((path) => /^static\/[^/]*\.(css|js)$/.test(path));
  return await Promise.all(paths.map(async (path): Promise<[string, string]> => {
    const text = await readFile(path, "utf8");
    const loader = path.endsWith(".css") ? "css" : "js";
    const literal = `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
    return [literal, JSON.stringify(minified(text, loader))];
  }));
}

/** Returns the files that one loads at once, and itself. */
function loadedAtOnce(start: string, { outputs }: Metafile): Set<string> {
  const byName = new Map(Object.entries(outputs).map(([path, each]) => [basename(path), each]));
  const found = new Set([start]);
  // The loop comes to those that it adds, too.
  for (const name of found) {
    for (const { kind, path, external } of byName.get(name)?.imports ?? []) {
      if (kind === "import-statement" && !external) found.add(basename(path));
    }
  }
  return found;
}

/** Serves files as a static host does, below a path: on a free port, unless one is named. */
export async function servePlayground(
  files: readonly PlaygroundFile[],
  path = "/",
  port = 0,
) {
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
    const { port = "0" } = values;
    if (positionals.length > 1) return "There can be only one folder.";
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      return `--port must be a number up to 65535, not '${port}'.`;
    }
    if (values.port !== undefined && !values.serve) return "--port needs --serve.";
    return { ...values, port: Number(port), folder: positionals[0] ?? "dist/playground" };
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
