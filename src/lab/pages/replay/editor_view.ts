import { freshProblem } from "../../client_role/replay/fresh_credentials.ts";
import { authenticatesClient, playableClients } from "../../client_role/replay/other_client.ts";
import { isVouchedFor } from "../../client_role/replay/vouch_again.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { authorizationRequestOf } from "../../flows/checks/check_facts.ts";
import { oneTimeCredentialsOf } from "../../flows/replay/one_time_credentials.ts";
import { replayMethods } from "../../flows/replay/replay_changes.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { redact } from "../../recording/redact.ts";
import { recordedClient } from "./read_replay_form.ts";
import type { EditedBody, EditorView, ShownCredential } from "./replay_editor.tsx";
import { rowsOfExchange, rowsOfForm } from "./replay_rows.ts";

/** How the form is shown: what it was sent with, and why that cannot be done. */
export interface EditorOptions {
  withSecrets: boolean;
  form?: URLSearchParams | undefined;
  problem?: string | undefined;
}

/** Gathers what the form shows that edits a request. */
export async function editorViewOf(
  lab: CoreLab,
  exchange: Exchange,
  { withSecrets, form, problem }: EditorOptions,
): Promise<EditorView> {
  const { request, id } = exchange;
  const clients = playableClients(lab).map((client) => client.id);
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
    credentials: await credentialsOf(lab, exchange, form),
    vouch: await canVouch(lab, exchange)
      ? { isFresh: form?.getAll("fresh").includes("redirect_uri") ?? true }
      : undefined,
    clients: authenticatesClient(request) ? clients : undefined,
    chosenClient: form?.get("client") ?? recordedClient,
    withSecrets,
    problem,
  };
}

/** A body that is no form has no place in a GET. */
function canChangeMethod({ request: { method, body, form } }: Exchange): boolean {
  return replayMethods.some((each) => each === method) && (body === "" || form.size > 0);
}

function bodyOf(exchange: Exchange, { withSecrets, form }: EditorOptions): EditedBody | undefined {
  const { request } = exchange;
  if (request.body === "" || request.form.size > 0) return undefined;
  const shown = withSecrets ? request.body : redact(exchange).request.body;
  return { text: form?.get("body") ?? shown, hidesSecrets: shown !== request.body };
}

/** A new credential is the first choice: most readers want to see another rule than its own. */
async function credentialsOf(
  lab: CoreLab,
  exchange: Exchange,
  form: URLSearchParams | undefined,
): Promise<ShownCredential[]> {
  const credentials = oneTimeCredentialsOf(exchange.request, lab.exchanges());
  return await Promise.all(credentials.map(async ({ name, usedIn }) => ({
    name,
    usedIn,
    problem: await freshProblem(lab, exchange, name),
    isFresh: form?.getAll("fresh").includes(name) ?? true,
  })));
}

async function canVouch(lab: CoreLab, { request }: Exchange): Promise<boolean> {
  const parameters = authorizationRequestOf([{ request }]);
  return parameters !== undefined && await isVouchedFor(lab, parameters);
}
