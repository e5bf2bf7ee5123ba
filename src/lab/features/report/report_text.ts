import { printable } from "../../../server/util/text/printable.ts";
import { counted } from "../../../server/util/time/duration.ts";
import { type GradedApi, nameOfApi } from "../../core/remarks.ts";
import { findingToText, isViolation } from "../../findings/finding.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";
import { earlierTitle } from "./failures.ts";
import {
  type ClientReport,
  type FindingGroup,
  groupFindings,
  groupReport,
} from "./group_report.ts";
import type { Report } from "./report.ts";

/** Describes a report for a terminal, and as text over HTTP: what is alike once, by client. */
export function reportToText(report: Report): string {
  const { problem, requests, earlier, apis, idleFaults } = report;
  const clients = groupReport(report);
  const isQuiet = earlier.length === 0 && clients.every(({ groups }) => groups.length === 0);
  return [
    problem ?? `The report of ${counted(requests, "request")} to the lab:`,
    ...clients.flatMap(clientLines),
    ...earlier.length > 0 ? [earlierTitle, ...groupLines(groupFindings(earlier))] : [],
    ...isQuiet && !problem ? ["No client broke a rule, and no request was refused."] : [],
    ...apis.flatMap(apiLines),
    ...idleFaults.length > 0 ? [`Never fired: ${idleFaults.join(", ")}`] : [],
  ].join("\n");
}

function clientLines({ grade, groups }: ClientReport): string[] {
  const name = grade && nameOfClient(grade);
  const title = name === undefined ? "Requests that name no client" : `Client ${printable(name)}`;
  return [
    grade?.grade === undefined ? title : `${title}: grade ${grade.grade}`,
    ...groupLines(groups),
  ];
}

function apiLines({ grade, violations, findings, ...api }: GradedApi): string[] {
  const graded = grade === undefined ? "no grade" : `grade ${grade}`;
  return [
    `API ${nameOfApi(api)}: ${graded}, ${counted(violations, "violation")}`,
    ...findings.filter(isViolation).map(findingToText),
  ];
}

function groupLines(groups: readonly FindingGroup[]): string[] {
  return groups.flatMap(([first, ...more]) => [
    findingToText(first),
    ...more.length > 0 ? [`  And ${more.length} more like this.`] : [],
  ]);
}
