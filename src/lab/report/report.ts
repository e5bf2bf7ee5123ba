import type { Evidence, LabHistory, ReportRule } from "./report_rule.ts";
import { requestRules } from "./request_rules.ts";
import { tokenRules } from "./token_rules.ts";
import { trustRules } from "./trust_rules.ts";

export const rules: readonly ReportRule[] = [...requestRules, ...tokenRules, ...trustRules];

/** A rule that a client broke, or advice that it could follow. */
export interface ReportFinding extends Evidence {
  /** The id of the rule: `"state-reused"`. */
  id: string;
  /** A violation breaks a rule; advice makes a client better. */
  kind: "violation" | "advice";
  /** The rule, in one sentence. */
  says: string;
  /** The section of the specification: `"RFC 9700, section 4.7.1"`. */
  see: string;
}

/** What the clients of a lab did wrong, or could do better. */
export interface Report {
  /** Whether no client broke a rule. Advice does not count. */
  clean: boolean;
  /** The rules that were broken, and advice. */
  findings: ReportFinding[];
  /**
   * The names of faults, queued responses and hooks that were added but never fired: they tested
   * nothing.
   */
  idleFaults: string[];
  /** The leniencies of the lab that are on, by the names of their settings. */
  leniencies: string[];
}

/** What a lab adds to a report. */
export interface LabRemarks {
  idleFaults: readonly string[];
  leniencies: readonly string[];
}

/** Checks everything that went over the wire against every rule. */
export function makeReport(history: LabHistory, remarks: LabRemarks): Report {
  const findings = rules.flatMap(({ find, ...rule }) =>
    find(history).map((evidence): ReportFinding => ({ ...rule, ...evidence }))
  );
  return {
    clean: !findings.some(({ kind }) => kind === "violation"),
    findings,
    idleFaults: [...remarks.idleFaults],
    leniencies: [...remarks.leniencies],
  };
}

/** Formats a report as the message of a failed test. */
export function describeReport({ findings }: Report): string {
  return findings.map(({ kind, id, says, see, seen, client }) => {
    const whose = client === undefined ? "" : ` (client ${client})`;
    return `${kind} ${id}${whose}: ${says} Seen: ${seen}. See ${see}.`;
  }).join("\n");
}
