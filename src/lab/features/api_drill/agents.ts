import type { CoreLab } from "../../core/core_lab.ts";
import { findingToText } from "../../findings/finding.ts";
import { checkBody } from "../../lab_server/changeable_settings.ts";
import type { ExplainableRule } from "../agents/agent_results.ts";
import { type AgentResult, type AgentTool, entryOf } from "../agents/agent_tool.ts";
import { reportAdvances } from "../drill/agents.ts";
import { callSchemas } from "../drill/config.ts";
import { type ApiDrillResult, describeCounts } from "./api_drill_result.ts";
import type { ApiDrillCall, ApiDrillTools } from "./api_drill_tools.ts";

/** The tool that drills an API. */
export const drillApiTool: AgentTool = {
  name: "drill_api",
  title: "Drill an API",
  description: "Calls an API that runs on this machine with tokens that it must refuse (expired, " +
    "forged, for another audience, without the scope) and unusual ones that it must accept, and " +
    "returns what it did wrong. Use it once the API accepts a valid token of mint_token.",
  body: { name: "ApiDrillCall" },
  returns: "AgentFindings",
  recovery: "If the API refuses a valid token, call mint_token, and try one by hand.",
  async run(lab, args, onProgress) {
    checkBody(callSchemas.DrillCall, { api: args });
    const stop = reportAdvances(lab, onProgress);
    try {
      // Every lab has its features.
      const { drillApi } = lab as CoreLab & ApiDrillTools;
      return describeResult(await drillApi(args as unknown as ApiDrillCall));
    } finally {
      stop();
    }
  },
};

/** Returns what explains the findings of a drill of an API, by their ids. */
export async function apiCheckRules(): Promise<readonly ExplainableRule[]> {
  return (await import("./checks/checks.ts")).apiChecks;
}

function describeResult({ url, grade, findings, checks }: ApiDrillResult): AgentResult {
  const unmet = checks.filter(({ skipped }) => skipped !== undefined).length;
  const clean = findings.length === 0;
  const graded = grade === undefined ? "" : ` Grade ${grade}.`;
  const summary = `${url}: ${
    describeCounts(findings)
  } in ${checks.length} checks, ${unmet} left out.${graded}`;
  return {
    rows: [
      summary,
      ...clean ? [] : ["report shows all of it again."],
      ...findings.map((each) => entryOf(each, findingToText)),
    ],
    value: { clean, tried: checks.length - unmet },
    list: "findings",
  };
}
