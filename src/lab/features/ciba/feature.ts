import type { LabFeature } from "../../feature.ts";
import { type CibaTools, createApprovals } from "./approvals.ts";

/** Users decide about what clients ask over the back channel, as a test wants. */
export const approvals: LabFeature<CibaTools> = {
  name: "ciba",
  // A suite asks its user as often as it likes.
  serverSettings: (config) => ({ backchannelRequestsPerMinute: Infinity, ...config }),
  open({ parts }) {
    const own = createApprovals(parts);
    return {
      tools: { approve: own.approve },
      layers: own.layers,
      state: own,
    };
  },
};
