import { describeVariant } from "../../../../lab/features/drill/variants/attack_advice.ts";
import { findingDetails } from "../../../../lab/findings/finding.ts";
import { groupBy } from "../../../../lab/util/lists.ts";
import type { BaselineChange } from "../result/vet_baseline.ts";
import { groupOutcomes, summarizeVet, type VetGroup } from "../result/vet_groups.ts";
import { isFinding, type VetOutcome, type VetResult } from "../result/vet_result.ts";
import type { VetVerdict } from "../result/vet_verdict.ts";

/** How many variants that were not met are named for each reason; the JSON has all. */
const maxNames = 3;

/** Formats a result as text for a terminal, what needs work first. */
export function vetToText(result: VetResult, verdict: VetVerdict): string {
  const groups = groupOutcomes(result).map((group) => formatGroup(group).join("\n"));
  const end = [...verdict.problems, ...describeChange(verdict.change)].join("\n");
  return [summarizeVet(result), ...groups, end].filter(Boolean).join("\n\n");
}

/** Returns how the findings differ from those of a baseline, in sentences. */
function describeChange(change: BaselineChange | undefined): string[] {
  if (!change) return [];
  const sentences: ReadonlyArray<[faults: readonly string[], text: string]> = [
    [change.known, "In the baseline already"],
    [change.added, "Found by variants that are newer than the baseline"],
    [change.mended, "Mended since the baseline; write it again"],
  ];
  return sentences.filter(([faults]) => faults.length > 0)
    .map(([faults, text]) => `${text}: ${faults.join(", ")}.`);
}

function formatGroup({ id, title, outcomes }: VetGroup): string[] {
  const heading = `${title} (${outcomes.length})`;
  if (id === "unmet") return [heading, ...formatUnmet(outcomes)];
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

/** Most have the same reason, so it is printed once, above the first of their names. */
function formatUnmet(outcomes: readonly VetOutcome[]): string[] {
  return groupBy(outcomes, ({ reason = "" }) => reason).flatMap((group) => {
    const [{ reason = "Nothing is known about these." }] = group;
    const names = group.map(({ fault }) => fault);
    const rest = names.length - maxNames;
    const more = rest > 0 ? ` and ${rest} more` : "";
    return [`  ${reason}`, `      ${names.slice(0, maxNames).join(", ")}${more}`];
  });
}
