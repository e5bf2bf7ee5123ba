import { type HallpassOptions, openTestLab } from "../hallpass.ts";
import type { TestLab } from "../test_lab.ts";
import { createSuiteRecorder } from "./record_suite.ts";
import { type RegistrationName, registrationNames, type TestRunner } from "./registrations.ts";
import { createSwitchedProbe } from "./switched_probe.ts";
import { registerVet } from "./vet_test.ts";
import type { VetTestOptions } from "./vet_test_options.ts";

/** The functions of a runner, and what a suite needs to be vetted. */
export type CollectedTests<Runner extends object> =
  & Pick<Runner, Extract<keyof Runner, RegistrationName>>
  & VetTools;

/** What a suite needs to be vetted. */
export interface VetTools {
  /** Opens a lab that can misbehave while the tests are repeated. */
  hallpass(options?: HallpassOptions): Promise<TestLab>;
  /**
   * Registers one more test, which repeats all tests above it: once as they are, and then once for
   * each attack that their traffic can meet. It fails if the client accepts an attack and no test
   * notices. Call it after the last test of the file.
   */
  vet(options?: VetTestOptions): void;
}

/**
 * Collects the tests of a file, which are registered with the runner as usual, so that `vet` can
 * repeat them. Take `test`, the hooks and `describe` from what it returns, and not from the runner.
 *
 * @example
 * ```ts ignore
 * import { collectTests } from "@hallpass/hallpass/vet";
 * import * as vitest from "vitest";
 *
 * const { hallpass, test, vet } = collectTests(vitest);
 *
 * test("signs Alice in", async () => {
 *   await using lab = await hallpass();
 *   // …
 * });
 *
 * vet({ failUnder: 80 });
 * ```
 */
export function collectTests<Runner extends TestRunner>(runner: Runner): CollectedTests<Runner> {
  const recorder = createSuiteRecorder();
  const probe = createSwitchedProbe();
  const wrapped = registrationNames.flatMap((name) => {
    const register = runner[name];
    return register ? [[name, recorder.wrap(register, name, runner)] as const] : [];
  });
  const tools: VetTools = {
    hallpass: (options = {}) => openTestLab(options, { probe: probe.probe }),
    vet: (options = {}) => registerVet({ runner, recorder, probe }, options),
  };
  return { ...Object.fromEntries(wrapped), ...tools } as unknown as CollectedTests<Runner>;
}
