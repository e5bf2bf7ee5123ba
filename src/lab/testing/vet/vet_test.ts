import { version } from "../../../runtime/version.ts";
import { parseDuration } from "../../../server/util/time/duration.ts";
import { LabError } from "../../util/lab_error.ts";
import type { SuiteRecorder } from "./record_suite.ts";
import type { RecordedCall } from "./recorded_call.ts";
import type { TestRunner } from "./registrations.ts";
import type { SwitchedProbe } from "./switched_probe.ts";
import type { VetTestOptions } from "./vet_test_options.ts";

const title = "the tests notice attacks";

/** How long all repetitions may take, if the runner limits the time of a test. */
const defaultTimeout = "10m";

/** What `vet` needs of a file of tests. */
export interface VettedFile {
  runner: TestRunner;
  recorder: SuiteRecorder;
  probe: SwitchedProbe;
}

/** Registers the test that repeats all others. */
export function registerVet(
  { runner, recorder, probe }: VettedFile,
  options: VetTestOptions,
): void {
  const register = runner.test ?? runner.it;
  if (!register) throw new LabError("vet needs the 'test' or the 'it' of a test runner.");
  const seconds = parseDuration(options.timeout ?? defaultTimeout);
  if (seconds === undefined) {
    throw new LabError("The 'timeout' of vet must be a duration: 90s, 5m.");
  }
  const scope = recorder.scope();
  const run = () => vetCalls(recorder.end(scope), probe, options);
  register.call(runner, title, run, seconds * 1000);
}

/** Repeats calls under each variant, and fails if the tests do not reach what they have to. */
async function vetCalls(
  calls: readonly RecordedCall[],
  probe: SwitchedProbe,
  options: VetTestOptions,
): Promise<void> {
  // The tests that are not vetted load none of it.
  const { vetInProcess } = await import("./vet_in_process.ts");
  const { passed, ...result } = await vetInProcess(calls, probe, { ...options, version });
  await options.onResult?.(result);
  if (!passed) throw new LabError(result.text);
}
