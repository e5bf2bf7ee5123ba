import type { CoreLab } from "../../core/core_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AgentTool, ExplainableRule } from "../agents/agent_tool.ts";
import { type FoundByDrill, runDrill } from "../verdicts/agents.ts";
import { withoutQuery } from "../verdicts/drill_access.ts";
import { type AppDrillCall, callSchemas } from "./calls.ts";
import { describeDrill } from "./drill_result.ts";
import type { DrillTools } from "./feature.ts";
import { findKnownApplication } from "./known_application.ts";
import type { DrillName } from "./select_tries.ts";

const recovery = "If the login itself fails, call explain with its flow or client.";

export const drillAppTool: AgentTool = {
  name: "drill_app",
  description: "Repeats the login of an application on this machine with something hostile or " +
    "unusual, and returns what it does wrong. Use it once a login works. Without start, it takes " +
    "the one that signed in last.",
  body: { name: "AppDrillCall", schema: callSchemas.AppDrillCall },
  rest: "report",
  recovery,
  run: (lab, args, { onProgress }) => runDrill(lab, onProgress, () => drillApp(lab, args)),
};

async function drillApp(lab: CoreLab, args: AppDrillCall): Promise<FoundByDrill> {
  const { only, mcp = false, start = guessStart(lab), ...application } = args;
  // Every lab has its features.
  const { drill, drillMcp } = lab as CoreLab & DrillTools;
  const run = mcp ? drillMcp : drill;
  const result = await run({ start, ...application }, only as DrillName[]);
  const { findings, verdict } = result;
  return {
    summary: `${withoutQuery(start)}: ${describeDrill(result)}`,
    findings,
    tries: result,
    untested: verdict.untested,
  };
}

function guessStart(lab: CoreLab): string {
  const known = findKnownApplication(lab);
  if (known) return known.start;
  throw new LabError(
    `${recovery} No application on this machine has signed in here: pass start, the URL that ` +
      "begins its login.",
  );
}

/** Returns what explains the findings of a drill, by their ids. */
export async function drilledRules(): Promise<readonly ExplainableRule[]> {
  return (await import("./select_tries.ts")).describeTries();
}
