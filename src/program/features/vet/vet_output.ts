import { describeVariant } from "../../../lab/features/drill/variants/attack_advice.ts";
import { listUnmet } from "../../../lab/features/drill/variants/drill_outcome.ts";
import { type Check, type Finding, findingDetails } from "../../../lab/findings/finding.ts";
import { checksToJunit } from "../../../lab/findings/junit.ts";
import { redactOutput } from "../../../lab/recording/redact.ts";
import { version } from "../../../runtime/version.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { parseJson } from "../../../server/util/text/json.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { printableJson } from "../../command_line/listing.ts";
import { readTextFile, writeTextFile } from "../../configuration/program_config.ts";
import { UsageError } from "../../terminal/exit_code.ts";
import { printable, wrap } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import {
  groupOf,
  groupOutcomes,
  isFinding,
  summarizeVet,
  type VetGroup,
  type VetGroupId,
  type VetOutcome,
  type VetResult,
} from "./result/vet_result.ts";
import {
  type BaselineChange,
  createBaseline,
  knownFaults,
  readBaseline,
  type VetBaseline,
  type VetVerdict,
} from "./result/vet_verdict.ts";

const width = 80;

const notes: Readonly<Partial<Record<VetGroupId, string>>> = {
  noticed: "Noticed.",
  untested: "Refused, but no test shows it.",
};

/** Returns what `vet` prints before it begins. */
export function formatIntroduction(words: readonly string[]): string {
  return wrap(
    `This runs '${
      printable(redactOutput(words.join(" ")))
    }' once, and then once under each attack that it can meet, each time with everything that ` +
      "it does to the world: to databases, files, mail and other services.",
    width,
  ).join("\n");
}

/** Prints a result, and writes the files that the command line names. */
export async function reportResult(
  invocation: Invocation,
  { print }: Terminal,
  result: VetResult,
  verdict: VetVerdict,
): Promise<void> {
  await writeTextFile(valueOf(invocation, "junit"), vetToJunit(result, verdict));
  await writeTextFile(
    valueOf(invocation, "write-baseline"),
    `${JSON.stringify(createBaseline(result, version), null, 2)}\n`,
  );
  if (invocation.values.has("json")) print(printableJson(vetToJson(result, verdict, version)));
  else print(`\n${vetToText(result, verdict)}`);
}

/** Reads the baseline that the command line names. */
export async function readGivenBaseline(invocation: Invocation): Promise<VetBaseline | undefined> {
  const path = valueOf(invocation, "baseline");
  if (path === undefined) return undefined;
  try {
    return readBaseline(parseJson(await readTextFile(path)));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`The file ${path} is no baseline. ${messageOf(cause)}`);
  }
}

/** Formats a result as text for a terminal, what needs work first. */
export function vetToText(result: VetResult, verdict: VetVerdict): string {
  const groups = groupOutcomes(result).map((group) => formatGroup(group).join("\n"));
  const end = [...verdict.problems, ...describeChange(verdict.change)].join("\n");
  return [summarizeVet(result), ...groups, end].filter(Boolean).join("\n\n");
}

/** Formats a result as data, which `static/vet.schema.json` describes. */
export function vetToJson(result: VetResult, verdict: VetVerdict, hallpass: string): object {
  const { noticed, total, outcomes } = result;
  return { hallpass, noticed, total, ...verdict, variants: outcomes.map(reportVariant) };
}

/** Formats a result as JUnit XML: a test case for the criteria, and one for each variant. */
export function vetToJunit({ outcomes, findings }: VetResult, verdict: VetVerdict): string {
  const known = knownFaults(verdict.change);
  const checks = outcomes.map((outcome): Check => {
    const { id, title } = describeVariant(outcome);
    const found = findings.filter((each) => each.id === id);
    const note = found.length > 0 && known.includes(id) ? "Known." : noteOf(outcome);
    return { id, title, findings: found, note, skipped: skippedReason(outcome) };
  });
  const group = { name: "hallpass vet", checks: [criteriaCheck(verdict), ...checks] };
  return checksToJunit([group], ({ id }) => !known.includes(id));
}

/** Returns how the findings differ from those of a baseline, in sentences. */
function describeChange(change: BaselineChange | undefined): string[] {
  if (!change) return [];
  const sentences: ReadonlyArray<[faults: readonly string[], text: string]> = [
    [change.known, "In the baseline already"],
    [change.added, "Found by variants that are newer than the baseline"],
    [change.mended, "Fixed since the baseline; write it again"],
  ];
  return sentences.filter(([faults]) => faults.length > 0)
    .map(([faults, text]) => `${text}: ${faults.join(", ")}.`);
}

function formatGroup({ id, title, outcomes }: VetGroup): string[] {
  const heading = `${title} (${outcomes.length})`;
  if (id === "unmet") return [heading, ...listUnmet(outcomes)];
  const lines = outcomes.flatMap((outcome) => [
    `  ${outcome.fault}: ${describeVariant(outcome).title}`,
    ...detailsOf(outcome).map((line) => `      ${line}`),
  ]);
  return [heading, ...lines];
}

/** The title of a group names what came. */
function detailsOf(outcome: VetOutcome): string[] {
  if (isFinding(outcome)) return findingDetails({ ...describeVariant(outcome), where: {} });
  return outcome.outcome === "unstable" && outcome.reason ? [outcome.reason] : [];
}

function reportVariant(outcome: VetOutcome): object {
  const { id: _, ...description } = describeVariant(outcome);
  return { ...outcome, ...description, group: groupOf(outcome), finding: isFinding(outcome) };
}

function criteriaCheck({ problems }: VetVerdict): Check {
  const id = "criteria";
  const findings = problems.map((title): Finding => ({ id, title, level: "violation", where: {} }));
  return { id, title: "The suite reaches what it has to", findings };
}

function noteOf(outcome: VetOutcome): string | undefined {
  const note = notes[groupOf(outcome)];
  return note && [note, outcome.reason].filter(Boolean).join(" ");
}

function skippedReason({ outcome, reason = "" }: VetOutcome): string | undefined {
  return outcome === "unmet" || outcome === "unstable" ? reason : undefined;
}
