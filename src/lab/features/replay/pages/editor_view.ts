import type { ClientConfig } from "../../../../server/features.ts";
import type { Exchange } from "../../../recording/exchange.ts";
import { redact } from "../../../recording/redact.ts";
import { LabError } from "../../../util/lab_error.ts";
import { authenticatesClient, playableClients } from "../other_client.ts";
import { replayMethods } from "../replay_changes.ts";
import { hasPast } from "../replay_request.ts";
import type { ReplayingLab } from "../replay_tools.ts";
import { recordedClient } from "./read_replay_form.ts";
import type { EditedBody, EditorView } from "./replay_editor.tsx";
import { rowsOfExchange, rowsOfForm } from "./replay_rows.ts";

/** How the form is shown: what it was sent with, and why that cannot be done. */
export interface EditorOptions {
  withSecrets: boolean;
  form?: URLSearchParams | undefined;
  problem?: string | undefined;
}

/** Gathers what the form shows that edits a request. */
export function editorViewOf(
  lab: ReplayingLab,
  exchange: Exchange,
  { withSecrets, form, problem }: EditorOptions,
): EditorView {
  const { request, id } = exchange;
  const isNow = form?.has("now") ?? false;
  const clients = playableClients(clientsFor(lab, exchange, isNow));
  const rowsOf = (group: "parameter" | "header") =>
    form ? rowsOfForm(form, group) : rowsOfExchange(exchange, group, withSecrets);
  return {
    id,
    method: request.method,
    chosenMethod: canChangeMethod(exchange) ? form?.get("method") ?? request.method : undefined,
    path: request.path,
    parameters: rowsOf("parameter"),
    headers: rowsOf("header"),
    body: bodyOf(exchange, { withSecrets, form }),
    isNow: hasPast(exchange) ? isNow : undefined,
    clients: authenticatesClient(request) ? clients : undefined,
    chosenClient: form?.get("client") ?? recordedClient,
    withSecrets,
    problem,
  };
}

/** Returns the clients that a lab has where the request goes. */
function clientsFor(
  lab: ReplayingLab,
  exchange: Exchange,
  isNow: boolean,
): readonly ClientConfig[] {
  const current = lab.clients.list();
  if (isNow || !hasPast(exchange)) return current;
  try {
    return lab.clientsAt(exchange);
  } catch (cause) {
    // Nothing but a replay now is possible any more.
    if (cause instanceof LabError) return current;
    throw cause;
  }
}

/** A GET cannot carry a body that is not a form. */
function canChangeMethod({ request: { method, body, form } }: Exchange): boolean {
  return replayMethods.some((each) => each === method) && (body === "" || form.size > 0);
}

function bodyOf(exchange: Exchange, { withSecrets, form }: EditorOptions): EditedBody | undefined {
  const { request } = exchange;
  if (request.body === "" || request.form.size > 0) return undefined;
  const shown = withSecrets ? request.body : redact(exchange).request.body;
  return { text: form?.get("body") ?? shown, hidesSecrets: shown !== request.body };
}
