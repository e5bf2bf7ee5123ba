import { staticFileResponse } from "../../../server/endpoints/static_files.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { labFiles } from "../parts/lab_files.ts";

/**
 * Serves the files that pages of the lab load. The page that asks for the token needs them, too.
 */
export const labFilePages: readonly LabPageRoute[] = [{
  method: "GET",
  path: "/static/:file",
  isPublic: true,
  handle: (_lab, { segment }) => staticFileResponse(segment, [...labFiles.values()]),
}];
