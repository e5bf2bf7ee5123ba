/** @jsxImportSource preact */
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { ActionForm } from "../../pages/parts/form.tsx";
import { readRequestNumber } from "../../util/path_segment.ts";
import type { ReplayChanges } from "./replay_changes.ts";
import type { ReplayTools } from "./replay_request.ts";

/** The operation and the pages that send a request again. */
export const replayInterface: FeatureInterface<ReplayTools> = {
  operations: [
    {
      name: "replay-request",
      method: "POST",
      path: "/requests/:id/replay",
      summary: "Sends a recorded request again, with changes, and compares both.",
      body: { name: "ReplayChanges" },
      returns: "Replay",
      example: { body: { parameters: { scope: "openid", state: null } } },
      run: (lab, { segment, body }) =>
        lab.replay(readRequestNumber(segment), body as ReplayChanges),
    },
  ],
  pages: {
    below: ["exchanges", "replays"],
    load: async () => (await import("./pages/replay_pages.ts")).replayPages,
  },
  additions: {
    "actions on a request": (base, id, _lab, page) => (
      <>
        <a class="button small" href={`${base}/lab/exchanges/${id}/edit`}>Change and send again</a>
        <ActionForm page={page} action={`/exchanges/${id}/replay`} id="replay">
          Send it again
        </ActionForm>
      </>
    ),
    "a replay": (base, id) => <a href={`${base}/lab/replays/${id}`}>Compare both</a>,
  },
};
