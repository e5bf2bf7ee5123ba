import { extname } from "node:path";
import { serve } from "../../src/runtime/serve.ts";

/** A file of the site, below its folder. */
export interface SiteFile {
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

/** Serves files as a static host does, below a path: on a free port, unless one is named. */
export async function serveSite(files: readonly SiteFile[], path = "/", port = 0) {
  const byUrl = new Map(files.map((file) => [path + file.path, file]));
  return await serve({
    fetch(request) {
      const { pathname } = new URL(request.url);
      const file = byUrl.get(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
      if (!file) return Promise.resolve(new Response("Not found", { status: 404 }));
      const type = types[extname(file.path)] ?? "application/octet-stream";
      return Promise.resolve(new Response(file.content, { headers: { "Content-Type": type } }));
    },
  }, { port });
}
