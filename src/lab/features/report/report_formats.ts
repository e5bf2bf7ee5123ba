import { textDownload } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { findingsOfApis } from "../../core/remarks.ts";
import { findingsToSarif } from "../../findings/sarif.ts";
import { unknownName } from "../../util/lab_error.ts";
import { rules } from "./report.ts";
import { notReachedFinding, reportToJunit } from "./report_checks.ts";
import type { ReportTools } from "./report_tools.ts";

type ReportedLab = CoreLab & ReportTools;

const formats: Readonly<
  Record<string, (lab: ReportedLab, query: URLSearchParams) => ResponseData>
> = {
  junit(lab, query) {
    const options = { refused: query.get("refused") === "true" };
    return textDownload(
      reportToJunit(lab.report(), options),
      {
        contentType: "application/xml; charset=utf-8",
        fileName: "hallpass-report.xml",
      },
    );
  },
  sarif(lab) {
    const { reached, findings, refused, earlier, apis } = lab.report();
    const silence = reached ? [] : [notReachedFinding];
    const all = [...findings, ...refused, ...findingsOfApis(apis), ...earlier, ...silence];
    const apiRules = new Map(all.filter(({ where }) => where.api).map((each) => [each.id, each]));
    const known = [...rules, ...apiRules.values(), notReachedFinding];
    const log = findingsToSarif(all, known, lab.requests());
    return textDownload(JSON.stringify(log, undefined, 2), {
      contentType: "application/sarif+json",
      fileName: "hallpass-report.sarif",
    });
  },
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
