import type { CoreLab } from "../../core/core_lab.ts";
import { findingToText, isViolation } from "../../findings/finding.ts";
import type { ExplainableRule } from "../agents/agent_results.ts";
import {
  type AgentResult,
  type AgentTool,
  entryOf,
  type ReportProgress,
} from "../agents/agent_tool.ts";
import { type AppDrillCall, callSchemas } from "./config.ts";
import { describeDrillCounts, type DrillResult, summarizeDrill } from "./drill_result.ts";
import type { DrillTools } from "./feature.ts";
import type { DrillName } from "./select_tries.ts";

/** The tool that drills an application. */
export const drillAppTool: AgentTool = {
  name: "drill_app",
  title: "Drill an application",
  description: "Repeats the login of an application that runs on this machine, each time with " +
    "something hostile or unusual, or at a bad moment, looks at its session, and returns what it " +
    "handles wrongly. Use it once a login works. It takes up to a minute.",
  body: { name: "AppDrillCall", schema: callSchemas.AppDrillCall },
  returns: "AgentFindings",
  recovery: "If the login itself fails, call explain.",
  async run(lab, args, onProgress) {
    const { only, mcp = false, ...application } = args as AppDrillCall;
    // Every lab has its features.
    const { drill, drillMcp } = lab as CoreLab & DrillTools;
    const stop = reportAdvances(lab, onProgress);
    try {
      const run = mcp ? drillMcp : drill;
      return describeDrill(await run({ start: "", ...application }, only as DrillName[]));
    } finally {
      stop();
    }
  },
};

/** Returns what explains the findings of a drill, by their ids. */
export async function drilledRules(): Promise<readonly ExplainableRule[]> {
  const { variantsOfEveryServer } = await import("./variants/variants.ts");
  const { describeVariant } = await import("./variants/attack_advice.ts");
  const { sessionChecks } = await import("./session_checks.ts");
  return [...variantsOfEveryServer.map(describeVariant), ...sessionChecks];
}

/** Reports each step of a drill; returns a function that ends this. */
export function reportAdvances(lab: CoreLab, onProgress: ReportProgress): () => void {
  return lab.subscribe((event) => {
    if (event.type === "drill.advanced") onProgress(event.done, event.total);
  });
}

function describeDrill(result: DrillResult): AgentResult {
  const { findings, outcomes, unmet, checks } = result;
  const checked = checks.filter(({ skipped }) => skipped === undefined);
  const summary = `${summarizeDrill(result)}. ${describeDrillCounts(result)}`;
  return {
    rows: [
      summary,
      ...findings.length > 0 ? ["report shows all of it again."] : [],
      ...findings.map((each) => entryOf(each, findingToText)),
    ],
    value: {
      clean: !findings.some(isViolation),
      tried: outcomes.length - unmet.length + checked.length,
    },
    list: "findings",
  };
}
