/**
 * Measures in a test file of Vitest, Jest, `node:test`, Deno or Bun how many attacks its tests
 * would notice, without another process.
 *
 * @example
 * ```ts ignore
 * import { collectTests } from "@hallpass/hallpass/vet";
 * import * as runner from "node:test";
 *
 * const { hallpass, test, vet } = collectTests(runner);
 *
 * test("signs Alice in", async () => {
 *   await using lab = await hallpass();
 *   // …
 * });
 *
 * vet();
 * ```
 *
 * @module
 */

export { collectTests } from "./vet/collect_tests.ts";
export type { CollectedTests, VetTools } from "./vet/collect_tests.ts";
export type { RegistrationName, SuiteFunction, TestRunner } from "./vet/registrations.ts";
export type { VetTestOptions, VetTestResult } from "./vet/vet_test_options.ts";
export type { ReportedVariant, VetReport } from "../vet/formats/vet_json.ts";
export type { BaselineChange, BaselineOutcome, VetBaseline } from "../vet/vet_baseline.ts";
export type { VetGroupId } from "../vet/vet_groups.ts";
export type { VetOutcome } from "../vet/vet_result.ts";
export type { VetCriteria, VetVerdict } from "../vet/vet_verdict.ts";
