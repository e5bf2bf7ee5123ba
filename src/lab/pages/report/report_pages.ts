import type { Lab } from "../../lab.ts";
import { formattedReport } from "../../report/report_formats.ts";
import { ReportCard } from "../../report/report_page.tsx";
import type { LabPage, LabPageRoute } from "../lab_page.ts";

/** The page of the report; programs get it in JSON. */
export const reportPages: readonly LabPageRoute[] = [{
  method: "GET",
  path: "/report",
  handle: (lab, { query }) => formattedReport(lab, query) ?? reportPage(lab),
}];

function reportPage(lab: Lab): LabPage {
  return {
    title: "Client report",
    area: "report",
    isLive: true,
    content: ReportCard({ issuer: lab.issuer, report: lab.report() }),
  };
}
