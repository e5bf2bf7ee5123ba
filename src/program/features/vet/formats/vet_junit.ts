import { formatJunit, type TestCase } from "../../../../lab/util/junit.ts";
import { adviceFor } from "../result/attack_advice.ts";
import { knownFaults } from "../result/vet_baseline.ts";
import { groupOf } from "../result/vet_groups.ts";
import type { VetOutcome, VetResult } from "../result/vet_result.ts";
import type { VetVerdict } from "../result/vet_verdict.ts";
import { describeFault, problemMessages } from "./describe_outcome.ts";

/** Formats a result as JUnit XML: a test case for the criteria, and one for each variant. */
export function vetToJunit({ outcomes }: VetResult, verdict: VetVerdict): string {
  const known = knownFaults(verdict.change);
  const cases = outcomes.map((outcome) => variantCase(outcome, known.includes(outcome.fault)));
  return formatJunit("hallpass", [{
    name: "hallpass vet",
    cases: [criteriaCase(verdict), ...cases],
  }]);
}

function criteriaCase({ problems }: VetVerdict): TestCase {
  const name = "The suite reaches what it has to";
  if (problems.length === 0) return { name };
  const text = problems.join("\n");
  return { name, failure: { message: problems[0] ?? "", type: "criteria", text } };
}

function variantCase(outcome: VetOutcome, isKnown: boolean): TestCase {
  const name = `${outcome.fault}: ${describeFault(outcome)}`;
  const { reason = "" } = outcome;
  const group = groupOf(outcome);
  if (group === "unmet" || group === "unstable") return { name, skipped: reason };
  if (group === "noticed") return { name, output: "Noticed." };
  if (group === "untested") return { name, output: `Refused, but no test shows it. ${reason}` };
  if (group === "fine") return { name };
  const { gain, advice } = adviceFor(outcome);
  const text = `${gain}\n${advice}\nSee ${outcome.see}.`;
  if (isKnown) return { name, output: `Known. ${text}` };
  const message = problemMessages[group] ?? "";
  return { name, failure: { message, type: outcome.fault, text } };
}
