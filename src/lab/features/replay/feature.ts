import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import type { ReplayTools } from "./replay_request.ts";

const loadReplay = once(() => import("./replay_request.ts"));

/** Recorded requests that a lab sends again, with changes. */
export const replay: LabFeature<ReplayTools> = {
  name: "replay",
  open: ({ lab }) => ({
    tools: {
      replay: async (id, changes) => (await loadReplay()).replayRequest(lab(), id, changes),
    },
  }),
};
