import { once } from "../../../server/util/time/promises.ts";
import type { LabFeature } from "../../feature.ts";
import { requestTime } from "../../recording/exchange.ts";
import type { ReplayInternals, ReplayTools } from "./replay_request.ts";

const loadReplay = once(() => import("./replay_request.ts"));

/** Recorded requests that a lab sends again, with changes. */
export const replay: LabFeature<ReplayTools, ReplayInternals> = {
  name: "replay",
  open: ({ lab, around, parts }) => ({
    tools: {
      replay: async (id, changes) => (await loadReplay()).replayRequest(lab(), id, changes),
    },
    internals: {
      outermost: () => around()?.outermost() ?? lab(),
      clientsAt(exchange) {
        const { server, history } = parts();
        return server.at(history.at(requestTime(exchange).mark)).source.entries.clients;
      },
    },
  }),
};
