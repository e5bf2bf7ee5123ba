import type { HeaderList } from "../../http/response.ts";
import {
  type ConnectedApp,
  listConnectedApps,
} from "../../issuer/authorizations/connected_apps.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Context } from "../../issuer/context.ts";
import {
  type Browser,
  findOrCreateBrowser,
  formToken,
  signOutPurpose,
} from "../../issuer/sessions/browsers.ts";
import { findSession, type SignedInUser } from "../../issuer/sessions/sessions.ts";
import type { Client } from "../../model/client.ts";
import type { ConnectedAppProps } from "../../pages/account.tsx";
import { untrustedClientNotice } from "../../protocol/client_trust.ts";
import { describeAccess } from "../responses/describe_access.ts";
import { frameProps, pageResponse } from "../responses/page_response.ts";
import { signInPage } from "./account_sign_in.ts";
import { removePurpose } from "./remove_access.ts";

/** Shows the applications to which a user has given access (OAuth 2.1, section 7.9). */
export async function account(ctx: Context, request: Request): Promise<Response> {
  const { browser, headers } = await findOrCreateBrowser(ctx, request);
  const signedIn = await findSession(ctx, request);
  if (!signedIn) return pageResponse(await signInPage(ctx, browser), 200, headers);
  return await connectedAppsResponse(ctx, browser, signedIn, headers);
}

async function connectedAppsResponse(
  ctx: Context,
  browser: Browser,
  { session, user }: SignedInUser,
  headers: HeaderList,
): Promise<Response> {
  const apps = await listConnectedApps(ctx, user);
  const page = ctx.settings.pages.account({
    ...frameProps(ctx),
    userName: user.name,
    apps: await Promise.all(apps.map((app) => describeApp(ctx, app))),
    formToken: await formToken(browser, removePurpose(session.sid)),
    signOut: {
      action: `${ctx.settings.base}/sign-out`,
      formToken: await formToken(browser, signOutPurpose),
    },
  });
  return pageResponse(page, 200, headers);
}

/** Describes an app. A client that was deleted is listed by its id, so that its access can be removed. */
async function describeApp(
  ctx: Context,
  { clientId, access, claims, since, latest }: ConnectedApp,
): Promise<ConnectedAppProps> {
  const client = await findClient(ctx, clientId);
  return {
    clientId,
    name: client?.name ?? clientId,
    host: client && webHost(client),
    untrustedClient: client && untrustedClientNotice(client, client.redirectUris),
    ...describeAccess(ctx, access, claims),
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
