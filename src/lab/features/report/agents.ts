import type { CoreLab } from "../../core/core_lab.ts";
import { findingsOfApis } from "../../core/remarks.ts";
import type { Finding } from "../../findings/finding.ts";
import type { AgentReport } from "../agents/agent_results.ts";
import { type AgentTool, firstOf } from "../agents/agent_tool.ts";
import { callSchemas } from "../agents/config.ts";
import type { ReportTools } from "./feature.ts";
import { groupFindings } from "./group_report.ts";
import type { Reported } from "./refused_requests.ts";
import type { Report } from "./report.ts";
import { reportToText } from "./report_text.ts";

/** The tool that reports what the clients did wrong. */
export const reportTool: AgentTool = {
  name: "report",
  title: "Report what clients did wrong",
  description: "Reports the rules that clients and drilled APIs broke, refused requests, and a " +
    "grade for each client. Use it when a sign-in works, to see whether it is also safe, and " +
    "before you call the work done.",
  body: { name: "PagedCall", schema: callSchemas.PagedCall },
  returns: "AgentReport",
  isReadOnly: true,
  run(lab) {
    // Every lab has its features.
    const report = (lab as CoreLab & ReportTools).report();
    return { text: reportToText(report), value: summarize(report) };
  },
};

/** Returns what explains the findings of a report, by their ids. */
export async function reportedRules() {
  return (await import("./report.ts")).rules;
}

function summarize(report: Report): AgentReport {
  const { clean, reached, findings, refused, earlier, apis } = report;
  const all = groupFindings([...findings, ...refused, ...findingsOfApis(apis), ...earlier]);
  const { first, more } = firstOf(all);
  return { clean, reached, findings: first.map(([finding]) => plainFinding(finding)), more };
}

/** Leaves out what only a refused request has: its endpoint, and what came of it. */
function plainFinding(reported: Reported): Finding {
  const { id, title, level, received, expected, gain, fix, see, where } = reported;
  return { id, title, level, received, expected, gain, fix, see, where };
}
