import type { CleanOptions, Report } from "./report.ts";

/** What a test can do to learn which rules its clients broke. */
export interface ReportTools {
  /** Reports the rules that the clients broke, and what they could do better. */
  report(): Report;
  /**
   * Does nothing if the clients broke no rule, and with `{ refused: true }`, if the server refused
   * none of their requests either. Requests that were refused because of a fault don't count.
   *
   * @throws {LabError} A client broke a rule; the message lists the report's findings.
   */
  assertClean(options?: CleanOptions): void;
}
