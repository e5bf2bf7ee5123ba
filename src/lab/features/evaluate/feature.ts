import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { EvaluateOptions } from "./config.ts";
import type { Evaluation } from "./evaluation.ts";

/** What a test can do to see what a client would get. */
export interface EvaluateTools {
  /**
   * Returns the tokens and the userinfo response that a client would get for a user, or the
   * refusal: `lab.evaluate({ user: "alice", client: "web", scope: "openid email" })`. It stores,
   * counts and records nothing. Policies and hooks run; faults, chosen values and queued responses do
   * not.
   *
   * @throws {LabError} An option is invalid, or there is no such user or client.
   */
  evaluate(options: EvaluateOptions): Promise<Evaluation>;
}

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
