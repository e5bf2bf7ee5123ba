import { formattedReport } from "../../control/report_formats.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { toRecordedRequest } from "../../recording/recorded_request.ts";
import type { ReportTools } from "../../report/report_tools.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { seePage } from "../page/page_response.ts";
import type { EvidenceSource } from "./finding_entry.tsx";
import { ReportCard } from "./report_page.tsx";

/** The page of the report, and the form that begins it anew; programs get it in JSON. */
export const reportPages: ReadonlyArray<LabPageRoute<ReportTools>> = [
  {
    method: "GET",
    path: "/report",
    handle: (lab, call) => formattedReport(lab, call.query) ?? reportPage(lab, call),
  },
  {
    method: "POST",
    path: "/report/clear",
    handle(lab, call) {
      lab.clearRequests();
      return seePage(call, "/report");
    },
  },
];

function reportPage(lab: CoreLab & ReportTools, call: LabPageCall): LabPage {
  return {
    title: "Report",
    area: "report",
    style: "report.css",
    isLive: true,
    content: ReportCard({
      page: call,
      issuer: lab.issuer,
      homeUrl: call.homeUrl,
      report: lab.report(),
      source: evidenceOf(lab, call),
      query: call.query,
    }),
  };
}

function evidenceOf(lab: CoreLab, { base }: LabPageCall): EvidenceSource {
  const exchanges = new Map(lab.exchanges().map((exchange) => [exchange.id, exchange]));
  return {
    requestOf(id) {
      const exchange = exchanges.get(id);
      return exchange && toRecordedRequest(exchange, false);
    },
    hrefOf: (id) => `${base}/lab/flows/request-${id}?exchange=${id}`,
  };
}
