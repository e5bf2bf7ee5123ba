import { printable } from "../../../server/util/text/printable.ts";
import { counted } from "../../../server/util/time/duration.ts";
import { drilledIn, type DrilledSubject } from "../../core/remarks.ts";
import { type Finding, findingToText, isViolation } from "../../findings/finding.ts";
import { nameOfClient } from "../../recording/tenant_client.ts";
import { earlierTitle } from "./failures.ts";
import {
  acceptedSince,
  type ClientReport,
  describeLimit,
  type FindingGroup,
  groupFindings,
  groupReport,
  hasExamined,
  notExamined,
} from "./group_report.ts";
import type { Report } from "./report.ts";

/** A line of a report, or findings that are alike. */
export type ReportRow = string | FindingGroup;

const allClear = "No client broke a rule, and no request was refused.";

/** Describes a report for a terminal, and as text over HTTP: what is alike once, by client. */
export function reportToText(report: Report): string {
  const rows = reportRows(report)
    .map((row) => typeof row === "string" ? row : groupToText(row[0], row));
  return [...rows, ...describeLimit(report)].join("\n");
}

/** Returns the parts of the text of a report. */
export function reportRows(report: Report): ReportRow[] {
  const { problem, requests, earlier, idleFaults } = report;
  const clients = groupReport(report);
  const isQuiet = earlier.length === 0 && clients.every(({ groups }) => groups.length === 0);
  return [
    problem ?? `The report of ${counted(requests, "request")} to the lab:`,
    ...clients.flatMap(clientRows),
    ...earlier.length > 0 ? [earlierTitle, ...groupFindings(earlier)] : [],
    ...isQuiet && !problem ? [hasExamined(report) ? allClear : notExamined] : [],
    ...drilledIn(report).flatMap(drillRows),
    ...idleFaults.length > 0 ? [`Never fired: ${idleFaults.join(", ")}`] : [],
  ];
}

/** Describes findings that are alike by the first of them. */
export function groupToText(first: Finding, group: FindingGroup): string {
  const [{ resolved = false }] = group;
  // Each line break is of the text itself.
  const [title, ...details] = findingToText(first).split("\n");
  const more = group.length > 1 ? [`  And ${group.length - 1} more like this.`] : [];
  return [title, ...resolved ? [`  ${acceptedSince}.`] : [], ...details, ...more].join("\n");
}

function clientRows({ grade, groups }: ClientReport): ReportRow[] {
  const name = grade && nameOfClient(grade);
  const title = name === undefined ? "Requests that name no client" : `Client ${printable(name)}`;
  return [grade?.grade === undefined ? title : `${title}: grade ${grade.grade}`, ...groups];
}

function drillRows({ kind, name, grade, violations, findings }: DrilledSubject): ReportRow[] {
  const graded = grade === undefined ? "no grade" : `grade ${grade}`;
  return [
    `${kind} ${name}: ${graded}, ${counted(violations, "violation")}`,
    ...findings.filter(isViolation).map((finding): FindingGroup => [finding]),
  ];
}
