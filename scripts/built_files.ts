import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { parseArgs } from "node:util";
import { serve } from "../src/runtime/serve.ts";

/** A file of the site or of the playground, below its folder. */
export interface BuiltFile {
  path: string;
  content: string | Uint8Array<ArrayBuffer>;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** Writes files to a folder, and removes what was in it before. */
export async function writeFiles(folder: string, files: readonly BuiltFile[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Responds as a static host of files does, below a path. */
export function hostOf(files: readonly BuiltFile[], path = "/"): (request: Request) => Response {
  const byUrl = new Map(files.map((file) => [path + file.path, file]));
  return ({ url }) => {
    const { pathname } = new URL(url);
    const file = byUrl.get(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (!file) return new Response("Not found", { status: 404 });
    const type = types[extname(file.path)] ?? "application/octet-stream";
    return new Response(file.content, { headers: { "Content-Type": type } });
  };
}

/** Serves files as a static host does, below a path: on a free port, unless one is named. */
export async function serveFiles(files: readonly BuiltFile[], path = "/", port = 0) {
  const host = hostOf(files, path);
  return await serve({ fetch: async (request) => host(request) }, { port });
}

/**
 * Builds what a command line asks for, `[FOLDER] [--url URL] [--serve] [--port N]`, and returns
 * whether it is served now.
 */
export async function buildFiles(
  name: string,
  build: (url: string | undefined) => Promise<BuiltFile[]>,
): Promise<boolean> {
  const { values, positionals: [folder = `dist/${name}`] } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string" },
      serve: { type: "boolean", default: false },
      port: { type: "string", default: "0" },
    },
  });
  const files = await build(values.url);
  await writeFiles(folder, files);
  console.log(`Built the ${name} in ${folder}: ${files.length} files, for any static host.`);
  if (!values.serve) return false;
  const { port } = await serveFiles(files, "/", Number(values.port));
  console.log(`Open http://localhost:${port}/`);
  return true;
}

/** The playground can be deleted: what uses it imports it only if it is there. */
export const playgroundScript: URL = new URL("./playground/build_playground.ts", import.meta.url);

/** Builds the playground, or nothing if it was deleted. */
export async function builtPlayground(): Promise<BuiltFile[]> {
  if (!existsSync(playgroundScript)) return [];
  const { buildPlayground }: { buildPlayground(): Promise<BuiltFile[]> } = await import(
    playgroundScript.href
  );
  return await buildPlayground();
}
