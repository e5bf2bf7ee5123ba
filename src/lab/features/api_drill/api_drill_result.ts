import type { GradedApi } from "../../core/remarks.ts";
import type { Check, Finding } from "../../findings/finding.ts";
import type { Verdict } from "../../findings/verdict.ts";

/** How an API handled the tokens of a drill. */
export interface ApiDrillResult extends Pick<GradedApi, "url" | "client">, Verdict {
  /** What is wrong, or could be better: one finding for each mistake. */
  findings: Finding[];
  /** Every check, with what it found, what is worth knowing, or why it was left out. */
  checks: Check[];
}

export function gradedApi({ checks: _, ...result }: ApiDrillResult): GradedApi {
  return result;
}
