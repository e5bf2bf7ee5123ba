import type { CoreLab } from "../../core/core_lab.ts";
import { findingToText } from "../../findings/finding.ts";
import { checkBody } from "../../lab_server/changeable_settings.ts";
import type { DrillSummary } from "../agents/agent_results.ts";
import { type AgentResult, type AgentTool, firstOf } from "../agents/agent_tool.ts";
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
  returns: "DrillSummary",
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

function describeResult({ url, grade, findings, checks }: ApiDrillResult): AgentResult {
  const { first, more } = firstOf(findings);
  const unmet = checks.filter(({ skipped }) => skipped !== undefined).length;
  const passed = findings.length === 0;
  const value: DrillSummary = { passed, tried: checks.length, unmet, findings: first, more };
  const graded = grade === undefined ? "" : ` Grade ${grade}.`;
  const text = [
    `${url}: ${describeCounts(findings)} in ${checks.length} checks, ${unmet} left out.${graded}`,
    ...findings.map(findingToText),
    ...passed ? [] : ["report shows all of it again."],
  ];
  return { text: text.join("\n"), value };
}
