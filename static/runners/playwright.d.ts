import type {
  Page,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from "@playwright/test";
import type { HallpassOptions, LabOfTest } from "./fixtures.js";
import type { TestLab } from "./testing.js";

export { expect } from "@playwright/test";

/** What each test of `hallpass/playwright` can ask for. */
export interface HallpassTestArgs {
  /** The lab of the test: a tenant with its own issuer, clients, users, clock and records. */
  lab: LabOfTest;
  /** Signs a user in: hands-free from the next request on, and on the page, if it is the lab's. */
  signIn: (page: Page, user: string) => Promise<void>;
}

/** What the tests of a worker share. */
export interface HallpassWorkerArgs {
  /** The options of the lab: `use: { hallpass: { alg: "ES256" } }`. */
  hallpass: HallpassOptions;
  /** The lab, which listens on a free port. */
  workerLab: TestLab;
}

/** Playwright's `test` with a lab: it fails a test if the application broke a rule. */
export declare const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & HallpassTestArgs,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & HallpassWorkerArgs
>;
