import { publicResponse, redirectResponse } from "../http/response.ts";
import { type ResponseData, withHeaders } from "../http/response_data.ts";
import { notFound } from "../http/router.ts";
import type { Context, RequestContext } from "../issuer/context.ts";
import { loadPages } from "../pages/pages.ts";
import type { StaticFile } from "../pages/static_files.ts";
import { day } from "../util/time/duration.ts";
import { brandFor } from "./responses/page_response.ts";

/** How long browsers may keep a file whose name changes with its text, in seconds. */
const maxAge = 365 * day;

/** An SVG that is opened by itself is a document: it may style itself, and neither load nor run. */
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves a file that pages need. Its plain name, without the hash, leads to the current file. */
export async function staticFile(
  { settings }: RequestContext,
  name: string,
): Promise<ResponseData> {
  const { staticFiles, staticPath } = await loadPages();
  if (staticFiles.has(name)) return redirectResponse(staticPath(settings.base, name));
  const { logo, stylesheet } = settings.brand;
  return staticFileResponse(name, [...staticFiles.values(), logo, stylesheet]);
}

/** Serves the icon where browsers look for it by themselves. */
export async function favicon({ settings }: Context): Promise<ResponseData> {
  return redirectResponse((await brandFor(settings)).logo);
}

/** Responds with the file whose name has the hash of its content. */
export function staticFileResponse(
  path: string,
  files: ReadonlyArray<StaticFile | undefined>,
): ResponseData {
  const file = files.find((each) => each?.path === path);
  if (!file) throw notFound();
  const response = publicResponse(file.content, file.type, maxAge, "immutable");
  return withHeaders(response, [["Content-Security-Policy", filePolicy]]);
}
