import { printable } from "../../../server/util/text/printable.ts";
import { counted } from "../../../server/util/time/duration.ts";
import { drilledIn, type DrilledSubject } from "../../core/remarks.ts";
import { type Finding, findingToText, leastToMend } from "../../findings/finding.ts";
import { isAtLeast } from "../../findings/grade.ts";
import { describeScope, summarizeFindings } from "../../findings/verdict.ts";
import { isSameClient, nameOfClient } from "../../recording/tenant_client.ts";
import { describeLimit, earlierTitle, hasExamined, notExamined } from "./failures.ts";
import {
  acceptedSince,
  type ClientReport,
  type FindingGroup,
  groupFindings,
  groupReport,
} from "./group_report.ts";
import type { Report } from "./report.ts";
import { describeSent } from "./reported_clients.ts";

/** A line of a report, or findings that are alike. */
export type ReportRow = string | FindingGroup;

/** A reset between two tests must hide nothing, so only this does. */
const startOver = "To forget what was found earlier, choose Start over on the page /lab/report.";
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
  const [clients, drilled] = [groupReport(report), drilledIn(report)];
  const isQuiet = earlier.length === 0 && clients.every(({ groups }) => groups.length === 0);
  // What a drill found is in no request, but the line would contradict it.
  const isClear = !drilled.flatMap(({ findings }) => findings)
    .some((each) => isAtLeast(each, leastToMend(each)));
  const summary = hasExamined(report) ? isClear && allClear : notExamined;
  return [
    problem ?? `The report of ${counted(requests, "request")} to the lab:`,
    ...clients.flatMap((each) => clientRows(each, drilled)),
    ...earlier.length > 0 ? [`${earlierTitle}:`, ...groupFindings(earlier), startOver] : [],
    ...isQuiet && !problem && summary ? [summary] : [],
    ...drilled.flatMap(drillRows),
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

/** A client is described by what it sent, and by the grade of its application, if it was drilled. */
function clientRows(
  { client, groups }: ClientReport,
  drilled: readonly DrilledSubject[],
): ReportRow[] {
  const name = client && nameOfClient(client);
  if (!client || name === undefined) return ["Requests that name no client", ...groups];
  const grades = drilled.filter((each) => each.client !== undefined && isSameClient(each, client))
    .map((each) => `${gradeOfDrill(each)} of ${printable(each.name)}`);
  return [`Client ${printable(name)}: ${[describeSent(client), ...grades].join("; ")}`, ...groups];
}

function gradeOfDrill({ kind, grade }: DrilledSubject): string {
  const graded = grade === undefined ? "no grade" : `grade ${grade}`;
  return kind === "API" ? graded : `${graded} for what it accepted in the drill`;
}

function drillRows(drilled: DrilledSubject): ReportRow[] {
  const { kind, name, findings } = drilled;
  const isOfClient = drilled.client !== undefined;
  const signsIn = isOfClient ? ` (client ${printable(nameOfClient(drilled) ?? "")})` : "";
  const subject = `${kind} ${printable(name)}${signsIn}`;
  return [
    `${subject}: ${gradeOfDrill(drilled)}. ${summarizeFindings(findings)}. ` +
    describeScope(drilled),
    ...findings.map((finding): FindingGroup => [finding]),
  ];
}
