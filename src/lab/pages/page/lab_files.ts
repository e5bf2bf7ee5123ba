import frontStyle from "../../../../static/front.css" with { type: "text" };
import frontScript from "../../../../static/front.js" with { type: "text" };
import labStyle from "../../../../static/lab.css" with { type: "text" };
import labScript from "../../../../static/lab.js" with { type: "text" };
import { staticFileResponse } from "../../../server/endpoints/static_files.ts";
import { staticFiles } from "../../../server/pages/our_files.ts";
import { type StaticFile, toStaticFiles } from "../../../server/pages/static_files.ts";
import type { LabPageRoute } from "./lab_page.ts";

/** The files that pages of the lab need. They are below `/lab`, which may have its own port. */
const labFiles: ReadonlyMap<string, StaticFile> = new Map([
  ...staticFiles,
  ...toStaticFiles({
    "lab.css": labStyle,
    "lab.js": labScript,
    "front.css": frontStyle,
    "front.js": frontScript,
  }),
]);

/** Returns the URL path of a file for pages of the lab, by its plain name. */
export function labFilePath(base: string, name: string): string {
  return urlPath(base, labFiles.get(name)?.path ?? name);
}

/** Returns the URL path of the style of some pages, which loads with the first of them. */
export async function pageStylePath(base: string, name: string): Promise<string> {
  const file = labFiles.get(name) ?? (await loadPageStyles()).get(name);
  return urlPath(base, file?.path ?? name);
}

function urlPath(base: string, file: string): string {
  return `${base}/lab/static/${file}`;
}

async function loadPageStyles(): Promise<ReadonlyMap<string, StaticFile>> {
  return (await import("./page_styles.ts")).pageStyles;
}

/**
 * Serves the files that pages of the lab load. The page that asks for the token needs them, too.
 */
export const labFilePages: readonly LabPageRoute[] = [{
  method: "GET",
  path: "/static/:file",
  isPublic: true,
  isPartOfPages: true,
  async handle(_lab, { segment }) {
    const files = [...labFiles.values()];
    const isShared = files.some(({ path }) => path === segment);
    return staticFileResponse(segment, isShared ? files : [...(await loadPageStyles()).values()]);
  },
}];
