import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { unknownName } from "../../util/lab_error.ts";
import { reportToJunit } from "./report_junit.ts";
import type { ReportTools } from "./report_tools.ts";
import { reportToSarif } from "./sarif.ts";

type ReportedLab = CoreLab & ReportTools;

const formats: Readonly<
  Record<string, (lab: ReportedLab, query: URLSearchParams) => ResponseData>
> = {
  junit: (lab, query) =>
    textDownload(reportToJunit(lab.report(), { refused: query.get("refused") === "true" }), {
      contentType: "application/xml; charset=utf-8",
      fileName: "hallpass-report.xml",
    }),
  sarif: (lab) =>
    textDownload(JSON.stringify(reportToSarif(lab.report(), lab.requests()), undefined, 2), {
      contentType: "application/sarif+json",
      fileName: "hallpass-report.sarif",
    }),
};

/** Returns the report in the format that a request asks for; undefined if it names none. */
export function formattedReport(
  lab: ReportedLab,
  query: URLSearchParams,
): ResponseData | undefined {
  const name = query.get("format");
  if (name === null || name === "json") return undefined;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format) throw unknownName("format of the report", name, ["json", ...Object.keys(formats)]);
  return format(lab, query);
}
