import type { CleanOptions } from "../../../lab/features/report/calls.ts";
import { findingsOf } from "../../../lab/features/report/failures.ts";
import type { Report } from "../../../lab/features/report/report.ts";
import { reportToJunit } from "../../../lab/features/report/report_formats.ts";
import { reportToText } from "../../../lab/features/report/report_text.ts";
import { type Finding, isFailure, isViolation } from "../../../lab/findings/finding.ts";
import type { Lab } from "../../../lab/lab.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { counted } from "../../../server/util/time/duration.ts";
import type { Invocation } from "../../command_line/command.ts";
import { printableJson } from "../../command_line/listing.ts";
import { askLab, refusalIn } from "../../lab_client/running_lab.ts";
import { noTraffic, ruleBroken, success, UsageError } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Prints the report of a running lab, and returns the exit code. */
export async function runReportCommand(
  invocation: Invocation,
  { print }: Terminal,
): Promise<number> {
  const { values } = invocation;
  const [client] = values.get("client") ?? [];
  const query = client === undefined ? "" : `?${new URLSearchParams({ client })}`;
  const report = await askLab(invocation, `/report${query}`);
  if (!isReport(report)) throw new UsageError(refusalIn(report));
  print(values.has("json") ? printableJson(report) : reportToText(report));
  if (!values.has("fail")) return success;
  return verdictOn(report, { refused: values.has("refused") });
}

/** Returns what a lab that ran for a command has seen. */
export function verdictOnRun(lab: Pick<Lab, "report">, options: CleanOptions) {
  const report = lab.report();
  return {
    text: reportToText(report),
    /** The exit code that it asks for. */
    verdict: verdictOn(report, options),
    /** What a run that passes should not hide. */
    note: refusalNote(report),
    junit: reportToJunit(report, options),
  };
}

/**
 * Returns the exit code that a report asks for, with what was found earlier, because it is about a
 * whole run. With `refused`, requests must not be refused.
 */
export function verdictOn(report: Report, options: CleanOptions): number {
  if (!report.reached) return noTraffic;
  return failuresIn(report, options).length === 0 ? success : ruleBroken;
}

function isReport(body: unknown): body is Report {
  return isObject(body) && Array.isArray(body.findings);
}

/** Describes the refused requests of a run that passes without --report any, if it had some. */
function refusalNote(report: Report): string | undefined {
  const { length } = failuresIn(report, { refused: true }).filter((each) => !isViolation(each));
  if (length === 0) return undefined;
  const verb = length === 1 ? "was" : "were";
  return `${counted(length, "request")} ${verb} refused; with --report any, the run fails.`;
}

function failuresIn(report: Report, options: CleanOptions): Finding[] {
  return [...findingsOf(report), ...report.earlier].filter((each) => isFailure(each, options));
}
