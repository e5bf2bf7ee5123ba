import { type ClientReport, groupReport } from "../../../lab/features/report/group_report.ts";
import type { CleanOptions, Report } from "../../../lab/features/report/report.ts";
import { findingToText } from "../../../lab/findings/finding.ts";
import type { Lab } from "../../../lab/lab.ts";
import { nameOfClient } from "../../../lab/recording/tenant_client.ts";
import { counted } from "../../../server/util/time/describe_span.ts";
import { noTraffic, ruleBroken, success } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Prints the report of a lab, and returns the exit code that it asks for. */
export function printVerdict(
  lab: Pick<Lab, "report" | "requests">,
  options: CleanOptions,
  { printError }: Pick<Terminal, "printError">,
): number {
  const report = lab.report();
  printError(reportToText(report));
  const lost = report.requests - lab.requests().length;
  if (lost > 0) printError(`${counted(lost, "request")} ${lossOf(lost)}`);
  return verdictOn(report, options);
}

/** A report of what is left must not pass for one of the whole run. */
function lossOf(lost: number): string {
  return `${lost === 1 ? "is" : "are"} not in this report: a reset, or newer ones, removed the ` +
    "record. A rule that was broken there is not found.";
}

/** Returns the exit code that a report asks for; with `refused`, requests must not be refused. */
export function verdictOn(report: Report, { refused = false }: CleanOptions): number {
  if (!report.reached) return noTraffic;
  const isRefused = refused && report.refused.length > 0;
  return report.clean && !isRefused ? success : ruleBroken;
}

/** Describes the refused requests of a run that passes without --report any, if it had some. */
export function describeRefused(lab: Lab): string | undefined {
  const { length } = lab.report().refused;
  if (length === 0) return undefined;
  const verb = length === 1 ? "was" : "were";
  return `${counted(length, "request")} ${verb} refused; with --report any, the run fails.`;
}

/** Describes a report for a terminal: what is alike once, by client. */
export function reportToText(report: Report): string {
  const { problem, requests, apis, idleFaults } = report;
  const clients = groupReport(report);
  const isQuiet = clients.every(({ groups }) => groups.length === 0);
  return [
    problem ?? `The report of ${counted(requests, "request")} to the lab:`,
    ...clients.flatMap(clientLines),
    ...isQuiet && !problem ? ["No client broke a rule, and no request was refused."] : [],
    ...apis.map(({ url, grade }) => `API ${url}: grade ${grade}`),
    ...idleFaults.length > 0 ? [`Never fired: ${idleFaults.join(", ")}`] : [],
  ].join("\n");
}

function clientLines({ grade, groups }: ClientReport): string[] {
  const name = grade && nameOfClient(grade);
  const title = name === undefined ? "Requests that name no client" : `Client ${name}`;
  return [
    grade?.grade === undefined ? title : `${title}: grade ${grade.grade}`,
    ...groups.flatMap(([first, ...more]) => [
      findingToText(first),
      ...more.length > 0 ? [`  And ${more.length} more like this.`] : [],
    ]),
  ];
}
