import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { LabFeature } from "../../feature.ts";
import type { ReplayTools } from "./replay_request.ts";

const { replayRequest } = lazyModule(() => import("./replay_request.ts"));

/** Recorded requests that a lab sends again, with changes. */
export const replay: LabFeature<ReplayTools> = {
  name: "replay",
  open: ({ lab }) => ({
    tools: {
      replay: (id, changes) => replayRequest(lab(), id, changes),
    },
  }),
};
