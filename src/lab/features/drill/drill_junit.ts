import { formatJunit, type TestCase, type TestFailure } from "../../util/junit.ts";
import { catalogue } from "../faults/catalogue.ts";
import type { DrillProgress } from "./drill_progress.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";

const plainLogin = "The login works without a fault";

/** Formats a drill as JUnit XML: a test case for the login itself, and one for each variant. */
export function drillToJunit({ state, outcomes, problem }: DrillProgress): string {
  const cases = [plainLoginCase(state, problem), ...outcomes.map(variantCase)];
  return formatJunit("hallpass", [{ name: "hallpass drill", cases }]);
}

function plainLoginCase(state: DrillProgress["state"], problem: string | undefined): TestCase {
  if (state === "none") return { name: plainLogin, skipped: "No drill has run yet." };
  if (problem === undefined) return { name: plainLogin };
  return { name: plainLogin, failure: { message: problem, type: "drill-stopped", text: problem } };
}

const problems: Readonly<Partial<Record<DrillOutcome["outcome"], string>>> = {
  accepted: "The application accepted a hostile login.",
  wrongly_refused: "The application refused a valid login.",
};

function variantCase(result: DrillOutcome): TestCase {
  const { fault, outcome, reason = "" } = result;
  const name = `${fault}: ${catalogue.get(fault)?.summary ?? ""}`;
  const problem = problems[outcome];
  if (problem !== undefined) return { name, failure: failureOf(result, problem) };
  if (outcome === "unmet") return { name, skipped: reason };
  const output = outcome === "refused" ? `Refused. ${reason}` : "Accepted, as it may be.";
  return { name, output };
}

function failureOf({ fault, see, reason, flow }: DrillOutcome, message: string): TestFailure {
  const where = flow === undefined ? [] : [`It was ${flow} in the lab.`];
  const how = reason === undefined ? [] : [reason];
  return { message, type: fault, text: [message, ...how, ...where, `See ${see}.`].join(" ") };
}
