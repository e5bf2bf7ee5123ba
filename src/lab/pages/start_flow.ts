import type { Endpoint } from "../../endpoints/route.ts";
import { readQuery } from "../../http/body.ts";
import { redirectResponse } from "../../http/response.ts";
import type { Table } from "../../issuer/records/table.ts";
import { findOrCreateBrowser } from "../../issuer/sessions/browsers.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { type Flow, ownRedirectUri, startFlow } from "./flows.ts";

const invalidRequest = errorFactory("invalid_request");

/** Starts an authorization in the role of one of the lab's clients. */
export function startEndpoint(flows: Table<Flow>, clients: readonly ClientConfig[]): Endpoint {
  return async (ctx, request) => {
    const clientId = readQuery(request).get("client_id");
    const client = clients.find(({ id }) => id === clientId);
    const redirectUri = client && ownRedirectUri(ctx.settings.frontChannelUrl, client);
    if (!client || !redirectUri) throw noStartableClient(ctx.settings.frontChannelUrl, clients);
    const { browser, headers } = await findOrCreateBrowser(ctx, request);
    const link = await startFlow(ctx, flows, {
      clientId: client.id,
      redirectUri,
      browser: browser.hash,
    });
    return redirectResponse(link, headers);
  };
}

function noStartableClient(frontChannelUrl: string, clients: readonly ClientConfig[]): OAuthError {
  const startable = clients.filter((client) => ownRedirectUri(frontChannelUrl, client)).map((
    { id },
  ) => id);
  return invalidRequest(
    `Add the client_id of one of these clients: ${startable.join(", ")}.`,
  );
}
