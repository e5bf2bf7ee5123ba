/** @jsxImportSource preact */
import type { CoreLab } from "../../core/core_lab.ts";
import { flowPath } from "../../flows/flow_source.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { type LabPageCall, seePage } from "../../pages/page/lab_page.ts";
import { LabForm } from "../../pages/parts/form.tsx";
import type { Exchange } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import { readRequestNumber } from "../../util/path_segment.ts";
import { comparisonPage } from "./pages/comparison_page.tsx";
import { editorPage } from "./pages/editor_page.tsx";
import { readReplayForm } from "./pages/replay_form.ts";
import { checkReplayChanges, type ReplayChanges } from "./replay_changes.ts";
import { type ReplayTools, requireExchange, sendAgain } from "./replay_request.ts";

/** The operation and the pages that send a request again. */
export const replayInterface: FeatureInterface<ReplayTools> = {
  operations: [
    {
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
  // The form that changes a recorded request, and the page that compares it with its replay.
  pages: [
    {
      method: "GET",
      path: "/exchanges/:id/edit",
      handle: (lab, call) =>
        editorPage(lab, call, exchangeOf(lab, call), { withSecrets: call.query.has("secrets") }),
    },
    { method: "POST", path: "/exchanges/:id/edit", handle: replay },
    {
      method: "POST",
      path: "/exchanges/:id/replay",
      async handle(lab, call) {
        const { id } = await sendAgain(lab, exchangeOf(lab, call));
        return seePage(call, flowPath(lab, id));
      },
    },
    {
      method: "GET",
      path: "/replays/:id",
      handle: (lab, call) => comparisonPage(lab, call, exchangeOf(lab, call)),
    },
  ],
  additions: {
    "actions on a request": (base, id, _lab, page) => (
      <>
        <a class="button small" href={`${base}/lab/exchanges/${id}/edit`}>Change and send again</a>
        <LabForm page={page} action={`/exchanges/${id}/replay`} id="replay">
          <button type="submit" class="secondary small">Send it again</button>
        </LabForm>
      </>
    ),
    "a replay": (base, id) => <a href={`${base}/lab/replays/${id}`}>Compare both</a>,
  },
};

async function replay(lab: CoreLab, call: LabPageCall) {
  const exchange = exchangeOf(lab, call);
  const withSecrets = call.form.has("secrets");
  try {
    const changes = readReplayForm(exchange, call.form);
    checkReplayChanges(changes);
    const { id } = await sendAgain(lab, exchange, changes);
    return seePage(call, `/replays/${id}${withSecrets ? "?secrets=on" : ""}`);
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    const options = { withSecrets, form: call.form, problem: cause.message };
    return { ...editorPage(lab, call, exchange, options), status: 400 };
  }
}

function exchangeOf(lab: CoreLab, { segment }: LabPageCall): Exchange {
  return requireExchange(lab, readRequestNumber(segment));
}
