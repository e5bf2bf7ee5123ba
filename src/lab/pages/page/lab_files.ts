import flowStyle from "../../../../static/flows.css" with { type: "text" };
import frontStyle from "../../../../static/front.css" with { type: "text" };
import frontScript from "../../../../static/front.js" with { type: "text" };
import labStyle from "../../../../static/lab.css" with { type: "text" };
import labScript from "../../../../static/lab.js" with { type: "text" };
import reportStyle from "../../../../static/report.css" with { type: "text" };
import { staticFileResponse } from "../../../server/endpoints/static_files.ts";
import { staticFiles } from "../../../server/pages/our_files.ts";
import { type StaticFile, toStaticFiles } from "../../../server/pages/static_files.ts";
import type { LabPageRoute } from "./lab_page.ts";

/** The files that pages of the lab need. They are below `/lab`, which may have its own port. */
const labFiles: ReadonlyMap<string, StaticFile> = new Map([
  ...staticFiles,
  ...toStaticFiles({
    "lab.css": labStyle,
    "flows.css": flowStyle,
    "report.css": reportStyle,
    "lab.js": labScript,
    "front.css": frontStyle,
    "front.js": frontScript,
  }),
]);

/** Returns the URL path of a file for pages of the lab, by its plain name. */
export function labFilePath(base: string, name: string): string {
  return `${base}/lab/static/${labFiles.get(name)?.path ?? name}`;
}

/**
 * Serves the files that pages of the lab load. The page that asks for the token needs them, too.
 */
export const labFilePages: readonly LabPageRoute[] = [{
  method: "GET",
  path: "/static/:file",
  isPublic: true,
  handle: (_lab, { segment }) => staticFileResponse(segment, [...labFiles.values()]),
}];
