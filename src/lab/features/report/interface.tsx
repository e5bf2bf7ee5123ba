/** @jsxImportSource preact */
import type { CoreLab } from "../../core/core_lab.ts";
import { operation } from "../../core/operation.ts";
import { findingsOfDrills } from "../../core/remarks.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { callSchemas } from "./calls.ts";
import type { ReportInternals, ReportTools } from "./feature.ts";
import { countGroups, groupReport } from "./group_report.ts";

/** The operation and the page that report what the clients did. */
export const reportInterface: FeatureInterface<ReportTools & ReportInternals> = {
  operations: [
    operation("GET /report", {
      name: "report",
      summary: "Reports the rules that the clients broke.",
      query: {
        format:
          "json (the default), text (as hallpass report prints it), junit (JUnit XML) or sarif " +
          "(SARIF 2.1.0).",
        client: "Only what is about this client.",
        refused: "true makes refused requests failures of the test cases in JUnit XML.",
      },
      returns: "Report",
      otherFormats: ["text/plain", "application/xml", "application/sarif+json"],
      async run(lab, { query }) {
        const { formattedReport, requestedReport } = await import("./report_formats.ts");
        return formattedReport(lab, query) ?? requestedReport(lab, query);
      },
    }),
    operation("POST /assert-clean", {
      name: "assert-clean",
      summary:
        "Fails with 400 and the findings if a client broke a rule, or a drill found an F or a D.",
      body: { name: "CleanOptions", schema: callSchemas.CleanOptions },
      run: (lab, { body }) => lab.assertClean(body),
    }),
  ],
  pages: {
    below: ["report"],
    load: async () => (await import("./pages/report_pages.tsx")).reportPages,
  },
  area: { name: "report", label: "Report", before: "faults", count: countFindings },
  additions: {
    "actions on the drill": (base) => (
      <a class="button secondary small" href={`${base}/lab/report`}>Report</a>
    ),
  },
};

/** The last count, with the latest exchange that it is for: most pages of a lab record nothing. */
let lastCount: { latest: Exchange | undefined; findings: number } = {
  latest: undefined,
  findings: 0,
};

function countFindings(lab: CoreLab & ReportTools): number {
  const latest = lab.exchanges().at(-1);
  if (lastCount.latest !== latest) {
    lastCount = { latest, findings: countGroups(groupReport(lab.report())) };
  }
  // Not remembered: a drill ends after its last exchange.
  return lastCount.findings + findingsOfDrills(lab.remarks()).length;
}
