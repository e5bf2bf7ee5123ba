import { unfoldFindings } from "../../../lab/features/verdicts/fold.ts";
import { describeMissing } from "../../../lab/features/verdicts/required.ts";
import { type Finding, isFailure } from "../../../lab/findings/finding.ts";
import type { FindingGrade } from "../../../lab/findings/grade.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { printableJson } from "../../command_line/listing.ts";
import { writeTextFile } from "../../configuration/program_config.ts";
import { ruleBroken, success } from "../../terminal/exit_code.ts";
import { printableLines } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { keepBaseline } from "./baseline.ts";

type FailsBuild = (finding: Finding) => boolean;

/** Prints the result of a drill, writes it to files, and returns the exit code. */
export async function reportDrill<Result extends { findings: readonly Finding[] }>(
  invocation: Invocation,
  { print, printError }: Terminal,
  result: Result,
  { missing, isComplete, toText, toJunit }: {
    /** The parts that are required, and were not tested. */
    missing: readonly string[];
    /** Whether the drill came to its end, so that its findings can be a baseline. */
    isComplete: boolean;
    toText(fails: FailsBuild): string;
    toJunit(missing: readonly string[], fails: FailsBuild): string;
  },
): Promise<number> {
  const baseline = await keepBaseline(valueOf(invocation, "baseline"), result, isComplete);
  const fails = failuresFor(invocation, baseline?.known);
  await writeTextFile(valueOf(invocation, "junit"), toJunit(missing, fails));
  print(invocation.values.has("json") ? printableJson(result) : printableLines(toText(fails)));
  if (baseline?.written) printError(baseline.written);
  if (missing.length > 0) printError(describeMissing(missing));
  return result.findings.some(fails) || missing.length > 0 ? ruleBroken : success;
}

/** Returns which findings fail the build: those of a grade, and each C that is not known. */
export function failuresFor(invocation: Invocation, known?: ReadonlySet<string>): FailsBuild {
  const failOn = (valueOf(invocation, "fail-on") ?? "D") as FindingGrade;
  const isUnknown: FailsBuild = (finding) =>
    known !== undefined && unfoldFindings([finding]).some(({ id }) => !known.has(id));
  return (finding) =>
    isFailure(finding, { failOn }) || isUnknown(finding) && isFailure(finding, { failOn: "C" });
}
