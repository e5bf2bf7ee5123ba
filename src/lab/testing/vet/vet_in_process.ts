import { parseDuration } from "../../../server/util/time/duration.ts";
import { LabError } from "../../util/lab_error.ts";
import { vetToJson } from "../../vet/formats/vet_json.ts";
import { vetToText } from "../../vet/formats/vet_text.ts";
import { runVet } from "../../vet/run_vet.ts";
import { createBaseline } from "../../vet/vet_baseline.ts";
import { VetError } from "../../vet/vet_error.ts";
import type { VetResult } from "../../vet/vet_result.ts";
import { decideVet } from "../../vet/vet_verdict.ts";
import type { RecordedCall } from "./recorded_call.ts";
import { repeatSuite } from "./repeat_suite.ts";
import type { SwitchedProbe } from "./switched_probe.ts";
import type { VetTestOptions, VetTestResult } from "./vet_test_options.ts";

/** Repeats the tests of a file under each variant that they can meet. */
export async function vetInProcess(
  calls: readonly RecordedCall[],
  probe: SwitchedProbe,
  { only, runTimeout, failUnder, baseline, version }: VetTestOptions & { version: string },
): Promise<VetTestResult & { passed: boolean }> {
  if (!calls.some(({ kind }) => kind === "test")) {
    throw new LabError(
      "No test ran before vet. Call it after the last test of the file, " +
        "and take 'test' from what collectTests returns.",
    );
  }
  const result = await repeatUnderEach(calls, probe, { only, runTimeout });
  const verdict = decideVet(result, { failUnder, baseline });
  return {
    passed: verdict.passed,
    report: vetToJson(result, verdict, version),
    text: vetToText(result, verdict),
    baseline: createBaseline(result, version),
  };
}

async function repeatUnderEach(
  calls: readonly RecordedCall[],
  probe: SwitchedProbe,
  { only, runTimeout }: VetTestOptions,
): Promise<VetResult> {
  const seconds = parseDuration(runTimeout);
  try {
    return await runVet({
      only,
      // Tests share variables, so they cannot be repeated side by side.
      jobs: 1,
      timeout: seconds === undefined ? undefined : 1000 * seconds,
      open: async (next) => {
        const end = probe.switchTo(next);
        return { target: undefined, close: async () => end() };
      },
      suite: { run: (_, conditions) => repeatSuite(calls, conditions) },
    });
  } catch (cause) {
    throw cause instanceof VetError ? explainInProcess(cause) : cause;
  }
}

/** A suite that cannot be vetted has other reasons within a process. */
function explainInProcess(error: VetError): LabError {
  const { problem, message, run } = error;
  if (problem === "no_traffic") {
    return new LabError(
      "The tests sent no request to a lab. Open it with the hallpass that collectTests returns.",
      { cause: error },
    );
  }
  const advice = problem === "suite_fails"
    ? "These tests fail when they are repeated, although nothing is wrong:"
    : message;
  return new LabError([advice, run?.output].filter(Boolean).join("\n"), { cause: error });
}
