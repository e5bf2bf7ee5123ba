import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { BuiltFile } from "../built_files.ts";
import { minify } from "../bundle.ts";
import { loadedAtOnce } from "../chunk_groups.ts";
import { filesIn } from "../files.ts";
import { splitCode, type SplitOptions } from "../split_code.ts";

/** A file of the playground, below its folder. */
export type PlaygroundFile = BuiltFile & { content: string };

/** How every script and style is made. */
export const forBrowsers = {
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "none",
  charset: "utf8",
} as const;

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
 * Bundles the lab. Rolldown splits it into hundreds of files; what the first page loads is in one.
 */
export async function bundleWorker(): Promise<PlaygroundFile[]> {
  const loaded = [...firstPage, "playground/worker.ts"].map((path) => resolve("src", path))
    .filter((path) => existsSync(path));
  const options: SplitOptions = {
    input: { worker: "worker" },
    platform: "browser",
    target: forBrowsers.target,
    external: ["^node:"],
    virtual: { worker: loaded.map((path) => `import ${JSON.stringify(path)};`).join("\n") },
    texts: await shortenedTexts(),
  };
  const modules = await splitCode(options);
  const first = [...loadedAtOnce(["worker.js"], modules)].flatMap((file) => file.modules);
  const groups = Object.fromEntries(first.map((path) => [path, "worker"]));
  const files = await splitCode({ ...options, minify: true }, groups);
  return files.map(({ name, text }) => ({ path: name, content: text }));
}

/** Returns the scripts and styles that a lab serves, made smaller, by their paths. */
async function shortenedTexts(): Promise<Record<string, string>> {
  const texts = filesIn("static", /\.(?:css|js)$/).map(async (path) => {
    const loader = path.endsWith("css") ? "css" : "js";
    return [path, minify(await readFile(path, "utf8"), { ...forBrowsers, loader })];
  });
  return Object.fromEntries(await Promise.all(texts));
}
