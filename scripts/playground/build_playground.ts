/**
 * Builds the playground, a lab in a browser tab: static files for any host, at the root or below a
 * path.
 *
 *   deno task playground [FOLDER] [--serve] [--port N]
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { renderToString } from "preact-render-to-string";
import { providerNames } from "../../src/lab/features/providers/config.ts";
import { loadPreset } from "../../src/lab/features/providers/presets.ts";
import { Shell } from "../../src/playground/shell.tsx";
import { buildFiles } from "../built_files.ts";
import { bundle, minify } from "../bundle.ts";
import { forgetFetched } from "../downloads.ts";
import { bundleWorker, forBrowsers, type PlaygroundFile } from "./bundle_worker.ts";

/** What starts a lab, on the machine of whoever looks at the playground. */
const commands = ["npx -y deno task start", "npx -y deno task build"];

/** Builds every file, the page itself last. */
export async function buildPlayground(): Promise<PlaygroundFile[]> {
  const [colors = ""] = /^:root [^}]*}/.exec(await readFile("static/style.css", "utf8")) ?? [];
  const style = colors + await readFile("static/playground.css", "utf8");
  const own = [
    ...await bundleWorker(),
    { path: "shell.js", content: scriptOf("src/playground/shell.ts") },
    {
      path: "application.js",
      content: scriptOf("src/playground/application.ts", { format: "esm" }),
    },
    { path: "playground.css", content: minify(style, { ...forBrowsers, loader: "css" }) },
    { path: "icon.svg", content: await readFile("static/icon.svg", "utf8") },
  ];
  const hash = createHash("sha256");
  for (const { path, content } of own) hash.update(path).update(content);
  const version = hash.digest("hex").slice(0, 8);
  const files = `files-${version}/`;
  const placed = own.map(({ path, content }) => ({ path: files + path, content }));
  const presets = await Promise.all(providerNames.map(loadPreset));
  const providers = presets.map(({ name, title }) => [name, title] as const);
  const page = renderToString(Shell({ files, providers, commands }));
  return [
    ...placed,
    { path: `${files}files.json`, content: JSON.stringify(own.map(({ path }) => path)) },
    {
      path: "sw.js",
      content: scriptOf("src/playground/service_worker.ts", {
        define: { playgroundVersion: JSON.stringify(version) },
      }),
    },
    { path: "index.html", content: `<!doctype html>${page}\n` },
  ];
}

function scriptOf(entry: string, more: Parameters<typeof bundle>[0] = {}): string {
  const { outputFiles } = bundle({
    ...forBrowsers,
    write: false,
    entryPoints: [entry],
    format: "iife",
    ...more,
  });
  return outputFiles?.[0]?.text ?? "";
}

if (import.meta.main) {
  await buildFiles("playground", () => buildPlayground().finally(forgetFetched));
}
