import type { Evidence, LabHistory, ReportRule } from "./report_rule.ts";
import { requestRules } from "./request_rules.ts";
import { tokenRules } from "./token_rules.ts";
import { trustRules } from "./trust_rules.ts";

export const rules: readonly ReportRule[] = [...requestRules, ...tokenRules, ...trustRules];

/** What a client did wrong, or could do better. */
export interface ReportFinding extends Evidence {
  id: string;
  kind: "violation" | "advice";
  says: string;
  see: string;
}

export interface Report {
  /** Whether no rule was broken. */
  clean: boolean;
  findings: ReportFinding[];
  /** Faults that were ordered and never struck: what they were to show was not shown. */
  idleFaults: string[];
}

/** Looks back on what went over the wire. */
export function makeReport(history: LabHistory, idleFaults: readonly string[]): Report {
  const findings = rules.flatMap(({ find, ...rule }) =>
    find(history).map((evidence): ReportFinding => ({ ...rule, ...evidence }))
  );
  return {
    clean: !findings.some(({ kind }) => kind === "violation"),
    findings,
    idleFaults: [...idleFaults],
  };
}

/** A report in the words of a failed test. */
export function describeReport({ findings }: Report): string {
  return findings.map(({ kind, id, says, see, seen, client }) => {
    const whose = client === undefined ? "" : ` (client ${client})`;
    return `${kind} ${id}${whose}: ${says} Seen: ${seen}. See ${see}.`;
  }).join("\n");
}
