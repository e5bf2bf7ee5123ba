import { catalogue } from "../faults/catalogue.ts";
import { formatJunit, type TestCase } from "../report/junit.ts";
import type { DrillOutcome } from "./drill.ts";
import type { DrillProgress } from "./drill_progress.ts";

const rehearsal = "The login works without a fault";

/** Formats a drill as JUnit XML: a test case for the login itself, and one for each variant. */
export function drillToJunit({ state, outcomes, problem }: DrillProgress): string {
  const cases = [rehearsalCase(state, problem), ...outcomes.map(variantCase)];
  return formatJunit("hallpass", [{ name: "hallpass drill", cases }]);
}

function rehearsalCase(state: DrillProgress["state"], problem: string | undefined): TestCase {
  if (state === "none") return { name: rehearsal, skipped: "No drill has run yet." };
  if (problem === undefined) return { name: rehearsal };
  return { name: rehearsal, failure: { message: problem, type: "drill-stopped", text: problem } };
}

function variantCase({ fault, see, outcome, reason = "", flow }: DrillOutcome): TestCase {
  const name = `${fault}: ${catalogue.get(fault)?.summary ?? ""}`;
  if (outcome === "unmet") {
    return { name, skipped: "The application never met the fault, or cannot notice it." };
  }
  if (outcome === "refused") return { name, output: `Refused. ${reason}` };
  const where = flow === undefined ? "" : ` It was ${flow} in the lab.`;
  const message = "The application accepted a hostile login.";
  return { name, failure: { message, type: fault, text: `${message}${where} See ${see}.` } };
}
