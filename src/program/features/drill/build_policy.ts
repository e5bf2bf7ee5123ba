import { describeMissing } from "../../../lab/features/verdicts/required.ts";
import { type FailureOptions, type Finding, isFailure } from "../../../lab/findings/finding.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { printableJson } from "../../command_line/listing.ts";
import { writeTextFile } from "../../configuration/program_config.ts";
import { ruleBroken, success } from "../../terminal/exit_code.ts";
import { printableLines } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A word of `--only` that tries everything, and decides what fails the build. */
const attack = "attack";

/** Returns what to try, if that is not everything. */
export function triesOf({ values }: Invocation): string[] | undefined {
  const names = values.get("only")?.filter((name) => name !== attack) ?? [];
  return names.length > 0 ? names : undefined;
}

/** Prints the result of a drill, writes it to a file, and returns the exit code. */
export async function reportDrill<Result extends { findings: readonly Finding[] }>(
  invocation: Invocation,
  { print, printError }: Terminal,
  result: Result,
  { missing, toText, toJunit }: {
    /** The parts that are required, and were not tested. */
    missing: readonly string[];
    toText(): string;
    toJunit(missing: readonly string[], fails: (finding: Finding) => boolean): string;
  },
): Promise<number> {
  const fails = failuresFor(invocation);
  await writeTextFile(valueOf(invocation, "junit"), toJunit(missing, fails));
  print(invocation.values.has("json") ? printableJson(result) : printableLines(toText()));
  if (missing.length > 0) printError(describeMissing(missing));
  return result.findings.some(fails) || missing.length > 0 ? ruleBroken : success;
}

/** Returns which findings fail the build. */
export function failuresFor({ values }: Invocation): (finding: Finding) => boolean {
  const options: FailureOptions = values.get("only")?.includes(attack) ? { only: attack } : {};
  return (finding) => isFailure(finding, options);
}
