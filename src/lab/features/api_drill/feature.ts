import { nameOfApi } from "../../core/remarks.ts";
import type { LabFeature } from "../../feature.ts";
import type { CoreLabConfig } from "../../lab_server/core_lab_config.ts";
import { faults, type FaultTools } from "../faults/feature.ts";
import { type VerdictInternals, verdicts } from "../verdicts/feature.ts";
import { type ApiDrillResult, gradedApi } from "./api_drill_result.ts";
import type { ApiDrill, ApiDrillInternals, ApiDrillTools } from "./api_drill_tools.ts";

/** Calls an API with tokens that it must refuse, and with unusual ones. */
export const apiDrill: LabFeature<
  ApiDrillTools,
  ApiDrillInternals,
  FaultTools & VerdictInternals
> = {
  name: "api_drill",
  needs: [faults, verdicts],
  open({ lab, parts }) {
    const results = new Map<string, ApiDrillResult>();
    let drills = 0;

    async function drillOnce(api: ApiDrill): Promise<ApiDrillResult> {
      const { runApiDrill } = await import("./run_api_drill.ts");
      const { waits, events, config } = parts();
      const known = config<CoreLabConfig>().dialect?.traits ?? [];
      const origins = lab().drilledOrigins();
      drills++;
      try {
        const onProgress = (done: number, total: number) =>
          events.emitLabEvent({ type: "drill.advanced", state: "running", total, done });
        const mark = lab().markAcknowledged;
        return await runApiDrill({ lab: lab(), origins, waits, known, mark, onProgress }, api);
      } finally {
        drills--;
      }
    }

    return {
      tools: {
        async drillApi(api) {
          const result = await drillOnce(api);
          const { addResult } = await import("./run_api_drill.ts");
          const name = nameOfApi(result.url, result.client);
          const known = addResult(results.get(name), result);
          results.delete(name);
          results.set(name, known);
          return result;
        },
      },
      layers: {
        // The tokens of the drill make an API ask: that is no fault of a client.
        identify({ request: { endpoint = "" }, labels }) {
          const isAsked = ["jwks", "introspect"].includes(endpoint);
          if (drills > 0 && isAsked) labels.isBesideProtocol = true;
          return undefined;
        },
      },
      remarks: () => ({ apis: [...results.values()].map(gradedApi) }),
      internals: { apiDrills: () => [...results.values()] },
      state: { clear: () => results.clear() },
    };
  },
};
