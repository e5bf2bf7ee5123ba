import type { CoreLab } from "../../../core/core_lab.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import type { LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { formAt, pageAt } from "../../../pages/page/page_routes.ts";
import type { Exchange } from "../../../recording/exchange.ts";
import { readRequestNumber } from "../../../util/path_segment.ts";
import { checkReplayChanges } from "../replay_changes.ts";
import { requireExchange, sendAgain } from "../replay_request.ts";
import { comparisonPage } from "./comparison_page.tsx";
import { editorPage } from "./editor_page.tsx";
import { readReplayForm } from "./replay_form.ts";

/** The form that changes a recorded request, and the page that compares it with its replay. */
export const replayPages: readonly LabPageRoute[] = [
  pageAt(
    "/exchanges/:id/edit",
    (lab, call) =>
      editorPage(lab, call, exchangeOf(lab, call), { withSecrets: call.query.has("secrets") }),
  ),
  formAt("/exchanges/:id/edit", replay, (lab, call, { message: problem }) => {
    const options = { withSecrets: call.form.has("secrets"), form: call.form, problem };
    return { ...editorPage(lab, call, exchangeOf(lab, call), options), status: 400 };
  }),
  formAt("/exchanges/:id/replay", async (lab, call) => {
    const { id } = await sendAgain(lab, exchangeOf(lab, call));
    return flowPath(lab, id);
  }),
  pageAt("/replays/:id", (lab, call) => comparisonPage(lab, call, exchangeOf(lab, call))),
];

async function replay(lab: CoreLab, call: LabPageCall): Promise<string> {
  const exchange = exchangeOf(lab, call);
  const changes = readReplayForm(exchange, call.form);
  checkReplayChanges(changes);
  const { id } = await sendAgain(lab, exchange, changes);
  return `/replays/${id}${call.form.has("secrets") ? "?secrets=on" : ""}`;
}

function exchangeOf(lab: CoreLab, { segment }: LabPageCall): Exchange {
  return requireExchange(lab, readRequestNumber(segment));
}
