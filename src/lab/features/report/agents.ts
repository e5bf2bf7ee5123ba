import type { CoreLab } from "../../core/core_lab.ts";
import type { Finding } from "../../findings/finding.ts";
import type { ExplainableRule } from "../agents/agent_results.ts";
import { type AgentResult, type AgentTool, entryOf } from "../agents/agent_tool.ts";
import { callSchemas, type ReportCall } from "../agents/calls.ts";
import type { ReportTools } from "./feature.ts";
import { reportOfClient } from "./group_report.ts";
import type { Reported } from "./refused_requests.ts";
import type { Report } from "./report.ts";
import { groupToText, reportRows } from "./report_text.ts";

/** The tool that reports what the clients did wrong. */
export const reportTool: AgentTool = {
  name: "report",
  title: "Report what clients did wrong",
  description: "Reports the rules that clients broke, what drills found, refused requests, and a " +
    "grade for each client. Use it when a sign-in works, to see whether it is also safe, and " +
    "before you call the work done.",
  body: { name: "ReportCall", schema: callSchemas.ReportCall },
  returns: "AgentFindings",
  isReadOnly: true,
  run(lab, args) {
    const { client }: ReportCall = args;
    // Every lab has its features.
    const report = (lab as CoreLab & ReportTools).report();
    return describeReport(client === undefined ? report : reportOfClient(report, client));
  },
};

/** Returns what explains the findings of a report, by their ids. */
export async function reportedRules(): Promise<readonly ExplainableRule[]> {
  return (await import("./report.ts")).rules;
}

function describeReport(report: Report): AgentResult {
  const { clean, reached, requests } = report;
  const rows = reportRows(report).map((row) =>
    typeof row === "string"
      ? row
      : entryOf(plainFinding(row[0]), (first) => groupToText(first, row))
  );
  return { rows, value: { clean, tried: reached ? Math.max(1, requests) : 0 }, list: "findings" };
}

/** Leaves out what only a refused request has: its endpoint, and what came of it. */
function plainFinding(reported: Reported): Finding {
  const { id, title, level, received, expected, gain, fix, see, where } = reported;
  return { id, title, level, received, expected, gain, fix, see, where };
}
