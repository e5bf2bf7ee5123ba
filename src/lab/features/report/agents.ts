import type { CoreLab } from "../../core/core_lab.ts";
import type { Finding } from "../../findings/finding.ts";
import {
  type AgentResult,
  type AgentTool,
  entryOf,
  type ExplainableRule,
} from "../agents/agent_tool.ts";
import { callSchemas, type ReportCall } from "../agents/calls.ts";
import { fixForAgent } from "../agents/fix_for_agent.ts";
import { describeLaterSuccess } from "../agents/own_flows.ts";
import { describeLimit, hasExamined, reportOfClient } from "./failures.ts";
import type { ReportTools } from "./feature.ts";
import type { RefusedRequest, Reported } from "./refused_requests.ts";
import type { Report } from "./report.ts";
import { groupToText, reportRows } from "./report_text.ts";

/** The tool that reports what the clients did wrong. */
export const reportTool: AgentTool = {
  name: "report",
  description:
    "Reports the rules that clients broke, what drills found with a grade for each, and " +
    "refused requests. Use it when a sign-in works, to see what the application sent " +
    "that it must not, and before you call the work done; drill_app shows what it accepts.",
  body: { name: "ReportCall", schema: callSchemas.ReportCall },
  isReadOnly: true,
  run(lab, args) {
    const { client }: ReportCall = args;
    // Every lab has its features.
    const report = (lab as CoreLab & ReportTools).report();
    const shown = client === undefined ? report : reportOfClient(report, client);
    return describeReport(shown, [
      ...describeLaterSuccess(lab, [...shown.findings, ...shown.refused]),
      ...hintsFor(report),
    ]);
  },
};

/** Returns what explains the findings of a report, by their ids. */
export async function loadReportChecks(): Promise<readonly ExplainableRule[]> {
  return (await import("./report.ts")).reportChecks;
}

/** Returns what keeps an agent from taking the report for a proof. */
function hintsFor(report: Report): string[] {
  return [
    ...report.earlier.length > 0 ? ["What was found before a reset may be fixed."] : [],
    ...describeLimit(report, { drill: "drill_app", failedLogin: "explain" }),
  ];
}

function describeReport(report: Report, hints: readonly string[]): AgentResult {
  const { clean, requests } = report;
  const rows = reportRows(report).map((row) =>
    typeof row === "string"
      ? row
      : entryOf(plainFinding(row[0]), (first) => groupToText({ ...row[0], ...first }, row))
  );
  const tried = hasExamined(report) ? Math.max(1, requests) : 0;
  return { rows: [...rows, ...hints], value: { clean, tried }, list: "findings" };
}

/** Leaves out what only a refused request has, its endpoint and what came of it, and what the text names. */
function plainFinding(reported: Reported & Partial<Pick<RefusedRequest, "endpoint">>): Finding {
  const { error: _, endpoint: _e, resolved: _r, faults: _f, folded: _o, ...finding } = reported;
  return { ...finding, fix: fixForAgent(finding.id, finding.fix) };
}
