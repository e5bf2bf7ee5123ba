import type { CoreLab } from "../../core/core_lab.ts";
import { findingToText } from "../../findings/finding.ts";
import type { DrillSummary } from "../agents/agent_results.ts";
import {
  type AgentResult,
  type AgentTool,
  firstOf,
  type ReportProgress,
} from "../agents/agent_tool.ts";
import { callSchemas, type DrillAppCall } from "../agents/config.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { DrillProgress } from "./drill_result.ts";
import type { DrillInternals, DrillTools } from "./feature.ts";

type DrillLab = CoreLab & DrillTools & DrillInternals;

/** The tool that drills an application. */
export const drillAppTool: AgentTool = {
  name: "drill_app",
  title: "Drill an application",
  description: "Repeats the login of an application that runs on this machine, each time with " +
    "something hostile or unusual, and returns what it handles wrongly. Use it once a login " +
    "works. It takes up to a minute.",
  body: { name: "DrillAppCall", schema: callSchemas.DrillAppCall },
  returns: "DrillSummary",
  recovery: "If the login itself fails, call explain.",
  // Every lab has its features.
  run: (lab, args, onProgress) =>
    drillApp(lab as DrillLab, args as unknown as DrillAppCall, onProgress),
};

async function drillApp(
  lab: DrillLab,
  { only, page = 1, ...application }: DrillAppCall,
  onProgress: ReportProgress,
): Promise<AgentResult> {
  if (page === 1) {
    const stop = reportAdvances(lab, onProgress);
    try {
      await lab.drill(application, only as FaultName[] | undefined);
    } finally {
      stop();
    }
  }
  return describeDrill(lab.drillProgress());
}

/** Reports each step of a drill; returns a function that ends this. */
export function reportAdvances(lab: CoreLab, onProgress: ReportProgress): () => void {
  return lab.subscribe((event) => {
    if (event.type === "drill.advanced") onProgress(event.done, event.total);
  });
}

function describeDrill({ findings, outcomes, unmet, refused }: DrillProgress): AgentResult {
  const { first, more } = firstOf(findings);
  const value: DrillSummary = {
    passed: findings.length === 0,
    tried: outcomes.length,
    unmet: unmet.length,
    findings: first,
    more,
  };
  const text = [
    `Tried ${outcomes.length} variants: ${findings.length} are handled wrongly, ` +
    `${refused.length} were refused as they should, ${unmet.length} changed nothing that the ` +
    "application uses.",
    ...findings.map(findingToText),
  ];
  return { text: text.join("\n"), value };
}
