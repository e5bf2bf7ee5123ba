import { nameOfApi } from "../../../lab/core/remarks.ts";
import type { ApiDrillResult } from "../../../lab/features/api_drill/api_drill_result.ts";
import type { ApiDrillCall } from "../../../lab/features/api_drill/api_drill_tools.ts";
import { apiDrillToJunit } from "../../../lab/features/api_drill/drill.ts";
import { missingIn } from "../../../lab/features/verdicts/parts.ts";
import { type Finding, findingToText, rankOf } from "../../../lab/findings/finding.ts";
import { checksToJunit } from "../../../lab/findings/junit.ts";
import { describeVerdict, summarizeFindings, whyNoGrade } from "../../../lab/findings/verdict.ts";
import { LabError } from "../../../lab/util/lab_error.ts";
import { isObject } from "../../../server/util/text/json.ts";
import { parseDuration } from "../../../server/util/time/duration.ts";
import { type Invocation, operandOf, valueOf } from "../../command_line/command.ts";
import { writeTextFile } from "../../configuration/program_config.ts";
import { askLab, refusalIn } from "../../lab_client/running_lab.ts";
import { failure } from "../../terminal/exit_code.ts";
import { printable, wrap } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { reportDrill } from "../drill/build_policy.ts";
import { drillWithLab } from "../drill/drill_lab.ts";

const width = 80;

/** How long a running lab may take for a drill, besides the wait for a key, in seconds. */
const drillTime = 120;

/** Drills an API, prints what was found, and returns the exit code. */
export async function runDrillCommand(
  invocation: Invocation,
  terminal: Terminal,
  members: Record<string, unknown>,
): Promise<number> {
  try {
    const result = await drill(invocation, terminal, callOf(invocation, members));
    return await reportDrill(invocation, terminal, result, {
      missing: missingIn(result, "api", invocation.values.get("require")),
      isComplete: true,
      toText: (fails) => resultToText(result, fails),
      toJunit: (missing, fails) => apiDrillToJunit(result, missing, fails),
    });
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    await writeTextFile(valueOf(invocation, "junit"), failedJunit(invocation, cause.message));
    terminal.printError(printable(cause.message));
    return failure;
  }
}

/** A drill that proves nothing must not leave the file of an earlier one behind. */
function failedJunit(invocation: Invocation, problem: string): string {
  const title = "The API responds, and accepts a valid token.";
  const name = `hallpass drill api ${operandOf(invocation, "URL")}`;
  return checksToJunit([{ name, checks: [{ id: "drill", title, problem }] }]);
}

async function drill(
  invocation: Invocation,
  terminal: Terminal,
  api: ApiDrillCall,
): Promise<ApiDrillResult> {
  const milliseconds = (drillTime + Number(parseDuration(api.keyWait) ?? 0)) * 1000;
  return await drillWithLab(invocation, terminal, async (lab) => {
    const body = await askLab(lab, "/drill", { api }, { milliseconds });
    if (isObject(body) && Array.isArray(body.checks)) return body as unknown as ApiDrillResult;
    throw new LabError(refusalIn(body));
  });
}

function callOf(
  invocation: Invocation,
  { headers, ...members }: Record<string, unknown>,
): ApiDrillCall {
  return {
    request: operandOf(invocation, "URL"),
    ...members,
    ...Array.isArray(headers) && { headers: Object.fromEntries(headers) },
    only: invocation.values.get("only"),
  };
}

/** Formats the result for a terminal: the worst last, where a reader looks first. */
function resultToText(result: ApiDrillResult, fails: (finding: Finding) => boolean): string {
  const { url, client, findings, checks } = result;
  const skipped = checks.filter((check) => check.skipped !== undefined);
  const reasons = [...new Set(skipped.map((check) => check.skipped))];
  const leftOut = reasons.map((reason) => {
    const ids = skipped.filter((check) => check.skipped === reason).map(({ id }) => id);
    return `${ids.join(", ")}: ${reason}`;
  });
  const notes = checks.flatMap(({ id, note }) => note === undefined ? [] : `${id}: ${note}`);
  const worstLast = findings.toSorted((one, other) => rankOf(other) - rankOf(one));
  return [
    ...listed("Left out", leftOut),
    ...listed("Worth knowing", notes),
    ...listed("Not judged", result.notes.map((note) => `${note.id}: ${note.text}`)),
    ...worstLast.flatMap((finding) => [findingToText(finding, fails), ""]),
    `${nameOfApi(url, client)}: ${summarizeFindings(findings)}. ${describeVerdict(result)}`,
    ...[whyNoGrade(result) ?? []].flat(),
  ].join("\n");
}

function listed(title: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const lines = entries.flatMap((entry) => wrap(entry, width - 2).map((line) => `  ${line}`));
  return [title, ...lines, ""];
}
