import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { EvaluateTools } from "./evaluate_tools.ts";

const loadEvaluate = once(() => import("./evaluate.ts"));

/** Shows what a client would get, without a request of one. */
export const evaluate: LabFeature<EvaluateTools> = {
  name: "evaluate",
  open: ({ parts, dryRunLayers }) => ({
    tools: {
      evaluate: async (options) =>
        (await loadEvaluate()).evaluateWith({ ...parts(), dryRunLayers }, options),
    },
    internals: {},
  }),
};
