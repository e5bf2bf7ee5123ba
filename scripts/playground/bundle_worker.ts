import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { BuiltFile } from "../built_files.ts";
import { minify } from "../bundle.ts";
import { loadedAtOnce } from "../chunk_groups.ts";
import { splitCode, splitIntoModules, type SplitOptions } from "../split_code.ts";

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
    external: [/^node:/],
    plugins: [{
      name: "worker",
      resolveId: (id) => id === "worker" ? id : undefined,
      load: (id) =>
        id === "worker"
          ? loaded.map((path) => `import ${JSON.stringify(path)};`).join("\n")
          : undefined,
    }],
    shorten: (text, loader) => minify(text, { ...forBrowsers, loader }),
  };
  const modules = await splitIntoModules(options);
  const first = new Set(
    [...loadedAtOnce(["worker.js"], modules)].flatMap((file) => file.modules),
  );
  const files = await splitCode(
    { ...options, minify: true },
    (path) => first.has(path) ? "worker" : undefined,
  );
  return files.map(({ name, text }) => ({ path: name, content: text }));
}
