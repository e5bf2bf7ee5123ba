import type { Report } from "../../../lab/features/report/report.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { Invocation } from "../../command_line/command.ts";
import { printableJson } from "../../command_line/listing.ts";
import { askLab, refusalIn } from "../../lab_client/running_lab.ts";
import { success } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { UsageError } from "../../terminal/usage_error.ts";
import { reportToText, verdictOn } from "./verdict.ts";

/** Prints the report of a running lab, and returns the exit code. */
export async function runReportCommand(
  invocation: Invocation,
  { print }: Terminal,
): Promise<number> {
  const report = await askLab(invocation, "/report");
  if (!isReport(report)) throw new UsageError(refusalIn(report));
  const { values } = invocation;
  print(values.has("json") ? printableJson(report) : reportToText(report));
  if (!values.has("fail")) return success;
  return verdictOn(report, { refused: values.has("refused") });
}

function isReport(body: unknown): body is Report {
  return isObject(body) && Array.isArray(body.findings);
}
