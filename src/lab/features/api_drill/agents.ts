import type { ObjectSchema } from "../../../server/config/schema.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeVerdict, summarizeFindings } from "../../findings/verdict.ts";
import { checkBody } from "../../util/check_body.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AgentTool, ExplainableRule } from "../agents/agent_tool.ts";
import { type FoundByDrill, runDrill } from "../drill/agents.ts";
import { callSchemas } from "../drill/calls.ts";
import type { ApiDrillCall, ApiDrillTools } from "./api_drill_tools.ts";

export const drillApiTool: AgentTool = {
  name: "drill_api",
  description: "Calls an API that runs on this machine with tokens that it must refuse (expired, " +
    "forged, for another audience) and unusual ones that it must accept, and " +
    "returns what it did wrong. Use it once the API accepts a valid token of mint_token.",
  body: { name: "ApiDrillCall" },
  recovery: "If the API refuses a valid token, call mint_token, and try one by hand.",
  run: (lab, args, { onProgress }) => runDrill(lab, onProgress, () => drillApi(lab, args)),
};

/** Returns what explains the findings of a drill of an API, by their ids. */
export async function loadApiChecks(): Promise<readonly ExplainableRule[]> {
  return (await import("./checks/checks.ts")).apiChecks;
}

async function drillApi(
  lab: CoreLab,
  args: Readonly<Record<string, unknown>>,
): Promise<FoundByDrill> {
  if (args.request === undefined) {
    throw new LabError("'request' is missing. Pass request: the URL of your API.");
  }
  checkBody(callSchemas.DrillCall.members.api as ObjectSchema, args);
  // Every lab has its features.
  const tools = lab as CoreLab & ApiDrillTools;
  const result = await tools.drillApi(args as unknown as ApiDrillCall);
  const { url, findings, untested } = result;
  const summary = `${url}: ${summarizeFindings(findings)}. ${describeVerdict(result)}`;
  return { summary, findings, tries: result, untested };
}
