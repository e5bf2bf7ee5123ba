/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ClientConfig } from "../../server/features.ts";
import { redirectResponse } from "../../server/http/response.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import { createRouter, type Router } from "../../server/http/router.ts";
import { findOrCreateBrowser } from "../../server/issuer/sessions/browsers.ts";
import { OAuthError } from "../../server/protocol/oauth_error.ts";
import { startableClients, startFlow } from "../client_role/start_flow.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { featureInterfaces } from "../feature_interfaces.ts";
import type { Lab } from "../lab.ts";
import { startPaths } from "../lab_server/started_flow.ts";
import { rememberChoice } from "../pages/home/flow_draft.ts";
import { homePages } from "../pages/home/home_pages.tsx";
import { labFilePages } from "../pages/page/lab_files.ts";
import { problemPage } from "../pages/page/lab_frame.tsx";
import type { LabPage, LabPageCall, LabPageRoute } from "../pages/page/lab_page.ts";
import { pageAt } from "../pages/page/page_routes.ts";
import { handlePageRoute, type LabRequest } from "./handle_page.ts";

/** Starts an authorization in the role of one of the lab's clients. */
const startPages: readonly LabPageRoute[] = startPaths.map((path) => pageAt(path, start));

/**
 * The pages of the lab next to those of its server: where a flow begins and ends. They stay there if
 * the others have a port of their own, and need no token of the lab.
 */
export const frontPages: ReadonlyArray<LabPageRoute<Lab>> = [
  ...homePages,
  ...startPages,
  ...featureInterfaces.flatMap(({ frontPages = [] }) => frontPages),
  ...labFilePages.map((route) => ({ ...route, path: `/lab${route.path}` })),
];

const findFrontPage: Router<LabPageRoute<Lab>> = createRouter(
  frontPages.map((route) => ({ ...route, isPublic: true })),
);

/** Responds with a page besides those of the server, or returns undefined if there is none. */
export async function respondToFrontRequest(
  lab: Lab,
  labRequest: LabRequest,
): Promise<ResponseData | undefined> {
  const { path, request } = labRequest;
  // What the operator configured comes first.
  if (lab.context.settings.routes.some((route) => route.path === path)) return undefined;
  const { route, segment } = findFrontPage(request.method, path);
  return route && await handlePageRoute(lab, labRequest, { route, segment });
}

async function start(lab: CoreLab, call: LabPageCall): Promise<LabPage | ResponseData> {
  const { ctx, query, base } = call;
  const clients = startableClients(lab);
  const client = clients.find(({ id }) => id === query.get("client_id"));
  if (!client) {
    const title = "Choose a client";
    const content = startLinks(base, clients);
    const next = clients.length > 0 ? { title, content } : undefined;
    return problemPage(call, unknownClient(clients), next);
  }
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const { url } = await startFlow(lab, { client, query, browser: browser.hash });
  return redirectResponse(url, [...headers, ...rememberChoice(ctx, query)]);
}

function unknownClient(clients: readonly ClientConfig[]): OAuthError {
  const ids = clients.map(({ id }) => id).join(", ");
  const problem = ids !== ""
    ? `Add the client_id of one of these clients: ${ids}.`
    : "No client can start here: this lab has none with the grant 'authorization_code'. Add one " +
      "to its configuration, or on the page 'Clients' of the lab.";
  return new OAuthError("invalid_request", problem);
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
