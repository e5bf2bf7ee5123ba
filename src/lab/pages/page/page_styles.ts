import flowStyle from "../../../../static/flows.css" with { type: "text" };
import reportStyle from "../../../../static/report.css" with { type: "text" };
import { type StaticFile, toStaticFiles } from "../../../server/pages/static_files.ts";

/** The styles that only some pages need. */
export const pageStyles: ReadonlyMap<string, StaticFile> = toStaticFiles({
  "flows.css": flowStyle,
  "report.css": reportStyle,
});
