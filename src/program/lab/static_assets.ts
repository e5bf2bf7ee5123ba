import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { StaticAsset } from "../../lab/compat/mock_oauth2_server/play_mock_oauth2_server.ts";
import { reasonOf } from "../terminal/explain_error.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** What a folder may hold at most: all of it is kept in memory. */
const maxFiles = 1000;
const maxBytes = 20_000_000;

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/**
 * Reads the files of a folder, by their paths below it. Requests choose among what was read, so
 * that none can reach another file.
 */
export async function readStaticAssets(folder: string): Promise<Map<string, StaticAsset>> {
  try {
    return await readFiles(folder);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`The folder ${folder} cannot be read: ${reasonOf(cause)}`);
  }
}

async function readFiles(folder: string): Promise<Map<string, StaticAsset>> {
  const assets = new Map<string, StaticAsset>();
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true })) {
    const path = join(folder, entry);
    if (!(await stat(path)).isFile()) continue;
    const bytes = new Uint8Array(await readFile(path));
    size += bytes.length;
    if (assets.size >= maxFiles || size > maxBytes) {
      throw new UsageError(`The folder ${folder} has more than ${maxFiles} files, or 20 MB.`);
    }
    const name = relative(folder, path).split(sep).join("/");
    assets.set(name, { type: types[extname(name)] ?? "application/octet-stream", bytes });
  }
  return assets;
}
