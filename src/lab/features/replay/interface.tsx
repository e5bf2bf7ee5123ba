/** @jsxImportSource preact */
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { LabForm } from "../../pages/parts/form.tsx";
import { readRequestNumber } from "../../util/path_segment.ts";
import { replayPages } from "./pages/replay_pages.ts";
import type { ReplayChanges } from "./replay_changes.ts";
import type { ReplayInternals, ReplayTools } from "./replay_tools.ts";

/** The operation and the pages that send a request again. */
export const replayInterface: FeatureInterface<ReplayTools & ReplayInternals> = {
  operations: [
    {
      method: "POST",
      path: "/requests/:id/replay",
      summary: "Sends a recorded request again, with changes, and compares both.",
      body: { name: "ReplayChanges" },
      returns: "Replay",
      example: { body: { parameters: { scope: "openid", state: null }, now: true } },
      run: (lab, { segment, body }) =>
        lab.replay(readRequestNumber(segment), body as ReplayChanges),
    },
  ],
  pages: replayPages,
  additions: {
    "actions on a request": (base, id, _lab, page) => (
      <>
        <a class="button small" href={`${base}/lab/exchanges/${id}/edit`}>Change and replay</a>
        <LabForm page={page} action={`/exchanges/${id}/replay`} id="replay">
          <button type="submit" class="secondary small">Replay it now</button>
        </LabForm>
      </>
    ),
    "a replay": (base, id) => <a href={`${base}/lab/replays/${id}`}>Compare both</a>,
  },
};
