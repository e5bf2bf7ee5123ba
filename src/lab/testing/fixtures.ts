/**
 * A lab for each test of a test runner, which fails a test if the application broke a rule.
 *
 * @example
 * ```ts ignore
 * import { withLab } from "@hallpass/hallpass/fixtures";
 * import { test } from "node:test";
 *
 * test("mints", withLab(async (lab) => void await lab.mint({ sub: "alice" })));
 * ```
 *
 * @module
 */

export { labForTest, withLab } from "./lab_test.ts";
export type { CheckedLab, LabAttachment, LabOfTest, LabTest } from "./lab_test.ts";
export { playwrightFixtures } from "./playwright_fixtures.ts";
export type {
  FixturePage,
  HallpassWorkerOptions,
  PlaywrightFixtures,
  PlaywrightTestInfo,
  SignIn,
  UseFixture,
} from "./playwright_fixtures.ts";
export { vitestFixtures } from "./vitest_fixtures.ts";
export type { VitestContext, VitestFixtures } from "./vitest_fixtures.ts";
export type { HallpassOptions } from "./hallpass.ts";
