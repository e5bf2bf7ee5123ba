import { publicResponse, redirectResponse } from "../http/response.ts";
import { notFound } from "../http/router.ts";
import type { Context } from "../issuer/context.ts";
import { type StaticFile, staticFiles, staticPath } from "../pages/static_files.ts";
import { day } from "../util/duration.ts";

/** How long browsers may keep a file whose name changes with its text, in seconds. */
const maxAge = 365 * day;

/** Serves a file that pages need. Its plain name, without the hash, leads to the present file. */
export function staticFile(ctx: Context, _request: Request, name: string): Response {
  if (staticFiles.has(name)) return redirectResponse(staticPath(ctx.settings.base, name));
  return staticFileResponse(name, staticFiles);
}

/** Serves the icon where browsers look for it by themselves. */
export function favicon(ctx: Context): Response {
  return redirectResponse(staticPath(ctx.settings.base, "icon.svg"));
}

/** Responds with the file whose name has the hash of its text. */
export function staticFileResponse(
  path: string,
  files: ReadonlyMap<string, StaticFile>,
): Response {
  const file = [...files.values()].find((each) => each.path === path);
  if (!file) throw notFound();
  return publicResponse(file.text, file.type, maxAge, "immutable");
}
