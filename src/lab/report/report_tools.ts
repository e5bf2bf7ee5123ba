import type { LabRemarks } from "./report.ts";

/** What the report of the lab around needs beside it. */
export interface ReportInternals {
  /** Returns what the lab adds to its report, and its tenants with their names. */
  reportRemarks(): LabRemarks;
}
