import type { CoreLab } from "../../core/core_lab.ts";
import { type Finding, findingToText, isViolation } from "../../findings/finding.ts";
import type { Untested } from "../../findings/verdict.ts";
import {
  type AgentEntry,
  type AgentResult,
  entryOf,
  type ReportProgress,
} from "../agents/agent_tool.ts";
import { listUnmet, triedIn, type Tries, untriedIn } from "./required.ts";

/** The text only names the findings that another one explains: in full, they would fill a page. */
function findingEntry(finding: Finding): AgentEntry {
  const { folded: _, ...plain } = finding;
  return entryOf(plain, () => findingToText(finding));
}

export interface FoundByDrill {
  summary: string;
  findings: readonly Finding[];
  tries: Tries;
  untested: readonly Untested[];
}

/** Runs a drill, reports each step of it, and describes what it found. */
export async function runDrill(
  lab: CoreLab,
  onProgress: ReportProgress,
  drill: () => Promise<FoundByDrill>,
): Promise<AgentResult> {
  const stop = lab.subscribe((event) => {
    if (event.type === "drill.advanced") onProgress(event.done, event.total);
  });
  try {
    const { summary, findings, tries, untested } = await drill();
    const untried = listUnmet(untriedIn(tries));
    const again = findings.length > 0 ? ["report shows all of it again."] : [];
    return {
      rows: [
        summary,
        ...untested.map(({ what, why }) => `${what}: ${why}`),
        ...untried.length > 0 ? ["The other checks showed nothing:", ...untried] : [],
        ...again,
        ...findings.map(findingEntry),
      ],
      value: { clean: !findings.some(isViolation), tried: triedIn(tries).length },
      list: "findings",
    };
  } finally {
    stop();
  }
}
