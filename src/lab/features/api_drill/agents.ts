import { performOperation } from "../../control/control.ts";
import { noInput } from "../../control/operation_input.ts";
import { describeVerdict, summarizeFindings } from "../../findings/verdict.ts";
import { LabError } from "../../util/lab_error.ts";
import type { AgentTool, ExplainableRule } from "../agents/agent_tool.ts";
import { type FoundByDrill, runDrill } from "../verdicts/agents.ts";
import type { ApiDrillResult } from "./api_drill_result.ts";

export const drillApiTool: AgentTool = {
  name: "drill_api",
  description:
    "Calls an API on this machine with tokens that it must refuse (expired, forged, for " +
    "another audience) or accept, and returns what it did wrong. Use it once the API accepts a " +
    "token of mint_token.",
  body: { name: "ApiDrillCall" },
  recovery: "If the API refuses a valid token, call mint_token, and try one by hand.",
  run: (lab, api, { call, onProgress }) =>
    runDrill(lab, onProgress, async (): Promise<FoundByDrill> => {
      if (api.request === undefined) {
        throw new LabError("'request' is missing. Pass request: the URL of your API.");
      }
      const operation = call.operations.find(({ name }) => name === "start-drill");
      if (!operation) throw new LabError("This lab has no drills.");
      const input = { ...call, ...noInput, body: { api } };
      const result = await performOperation(lab as never, operation, input) as ApiDrillResult;
      const { url, findings, untested } = result;
      const summary = `${url}: ${summarizeFindings(findings)}. ${describeVerdict(result)}`;
      return { summary, findings, tries: result, untested };
    }),
};

/** Returns what explains the findings of a drill of an API, by their ids. */
export async function loadApiChecks(): Promise<readonly ExplainableRule[]> {
  return (await import("./run_api_drill.ts")).describeApiTries();
}
