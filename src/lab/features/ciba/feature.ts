import type { LabFeature } from "../../feature.ts";
import type { FaultTools } from "../faults/feature.ts";
import { type CibaTools, createApprovals } from "./approvals.ts";
import { changePings } from "./change_pings.ts";

/** Users decide about what clients ask over the back channel, as a test wants. */
export const approvals: LabFeature<CibaTools, object, Partial<FaultTools>> = {
  name: "ciba",
  // A suite asks its user as often as it likes.
  serverSettings: (config) => ({ backchannelRequestsPerMinute: Infinity, ...config }),
  open({ parts, lab }) {
    const own = createApprovals(parts, lab);
    return {
      tools: { approve: own.approve },
      layers: own.layers,
      outbound: (send) => changePings(send, lab, parts),
      state: own,
    };
  },
};
