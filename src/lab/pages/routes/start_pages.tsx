/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientConfig } from "../../../server/features.ts";
import { redirectResponse } from "../../../server/http/response.ts";
import type { ResponseData } from "../../../server/http/response_data.ts";
import { findOrCreateBrowser } from "../../../server/issuer/sessions/browsers.ts";
import { errorFactory, type OAuthError } from "../../../server/protocol/oauth_error.ts";
import { startableClients, startFlow } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { startPaths } from "../../lab_server/started_flow.ts";
import { rememberChoice } from "../home/remembered_choice.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { problemPage } from "../page/problem_page.tsx";

const invalidRequest = errorFactory("invalid_request");

/** Starts an authorization in the role of one of the lab's clients. */
export const startPages: readonly LabPageRoute[] = startPaths.map((path) => ({
  method: "GET",
  path,
  handle: start,
}));

async function start(
  lab: CoreLab,
  { ctx, query, base }: LabPageCall,
): Promise<LabPage | ResponseData> {
  const clients = startableClients(lab);
  const client = clients.find(({ id }) => id === query.get("client_id"));
  if (!client) {
    const title = "Choose a client";
    const content = startLinks(base, clients);
    return problemPage(unknownClient(clients), clients.length > 0 ? { title, content } : undefined);
  }
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const { url } = await startFlow(lab, { client, query, browser: browser.hash });
  return redirectResponse(url, [...headers, ...rememberChoice(ctx, query)]);
}

function unknownClient(clients: readonly ClientConfig[]): OAuthError {
  const ids = clients.map(({ id }) => id).join(", ");
  if (ids !== "") return invalidRequest(`Add the client_id of one of these clients: ${ids}.`);
  return invalidRequest(
    "No client can start here: this lab has none with the grant 'authorization_code'. Add one to " +
      "its configuration, or on the page 'Clients' of the lab.",
  );
}

/** Starts a flow of any client that can. */
function startLinks(base: string, clients: readonly ClientConfig[]): VNode {
  return (
    <div class="button-row" id="start-links">
      {clients.map(({ id, name = id }) => (
        <a class="button secondary" href={`${base}/start?client_id=${encodeURIComponent(id)}`}>
          {name}
        </a>
      ))}
    </div>
  );
}
