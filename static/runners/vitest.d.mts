import type { TestAPI } from "vitest";
import type { HallpassOptions, LabOfTest } from "./fixtures.mjs";

export { expect } from "vitest";

/** What each test of `hallpass/vitest` can ask for. */
export interface HallpassTestContext {
  /** The options of the lab, which a test may override. */
  hallpass: HallpassOptions;
  /** The lab of the test, in its process. */
  lab: LabOfTest;
}

/** Vitest's `test` with a lab: it fails a test if the application broke a rule. */
export declare const test: TestAPI<HallpassTestContext>;
/** The same as `test`. */
export declare const it: typeof test;
