import type { CoreLab } from "../../../core/core_lab.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import { type LabPageCall, type LabPageRoute, seePage } from "../../../pages/page/lab_page.ts";
import type { Exchange } from "../../../recording/exchange.ts";
import { LabError } from "../../../util/lab_error.ts";
import { readRequestNumber } from "../../../util/path_segment.ts";
import { checkReplayChanges } from "../replay_changes.ts";
import { requireExchange, sendAgain } from "../replay_request.ts";
import { comparisonPage } from "./comparison_page.tsx";
import { editorPage } from "./editor_page.tsx";
import { readReplayForm } from "./replay_form.ts";

/** The form that changes a recorded request, and the page that compares it with its replay. */
export const replayPages: readonly LabPageRoute[] = [
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
];

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
