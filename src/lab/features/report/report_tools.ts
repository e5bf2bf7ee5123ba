import type { GradedApi } from "../../core/remarks.ts";
import type { CleanOptions } from "./config.ts";
import type { Report } from "./report.ts";

/** What a test can do to learn which rules its clients broke. */
export interface ReportTools {
  /** Reports the rules that the clients broke, and what they could do better. */
  report(): Report;
  /**
   * Throws if a client, or an API in a drill, broke a rule; with `{ refused: true }`, also if the
   * server refused a request, unless because of a fault; with `{ reached: true }`, also if no
   * request reached the lab. What came before a reset counts, unless an earlier call has seen it.
   *
   * @throws {LabError} A rule was broken; the message lists the report's findings.
   */
  assertClean(options?: CleanOptions): void;
}

/** What the report page and closing tenants need beside these tools. */
export interface ReportInternals {
  /** Keeps results of APIs that a tenant forgets, here and in every lab around this one. */
  keepApis(apis: readonly GradedApi[]): void;
  /** Forgets the requests, and what was found in earlier ones. */
  restartReport(): void;
}
