import type { ConnectedApp } from "../../issuer/authorizations/connected_apps.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Client } from "../../model/client.ts";
import type { ConnectedAppProps } from "../../pages/connected_app.tsx";
import { untrustedClientNotice } from "../../protocol/client_trust.ts";
import { describeAccess, type Describer } from "../responses/describe_access.ts";

/**
 * Describes an app. A client that was deleted is listed by its id, so that its access can be
 * removed.
 */
export async function describeApp(
  describer: Describer,
  { clientId, access, claims, since, latest }: ConnectedApp,
): Promise<ConnectedAppProps> {
  const { ctx } = describer;
  const client = await findClient(ctx, clientId);
  return {
    clientId,
    name: client?.name ?? clientId,
    host: client && webHost(client),
    untrustedClient: client && untrustedClientNotice(client, client.redirectUris),
    ...describeAccess(describer, access, claims),
    since: formatDate(since),
    latest: formatDate(latest),
    action: `${ctx.settings.base}/account/remove`,
  };
}

/** Returns the host of a web application. The redirect URI of a native app names none. */
function webHost({ native, redirectUris: [redirectUri] }: Client): string | undefined {
  if (native || redirectUri === undefined) return undefined;
  return new URL(redirectUri).host;
}

function formatDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
