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
import type { Page } from "../../pages/pages.ts";
import { untrustedClientNotice } from "../../protocol/client_trust.ts";
import { describeAccess, type Describer } from "../responses/describe_access.ts";
import { describeUser } from "../responses/describe_user.ts";
import { frameProps, pageResponse } from "../responses/page_response.ts";
import { signInPage } from "./account_sign_in.ts";
import { removePurpose } from "./remove_access.ts";

/** Shows the applications to which a user has given access (OAuth 2.1, section 7.9). */
export async function account(ctx: Context, request: Request): Promise<Response> {
  const { browser, headers } = await findOrCreateBrowser(ctx, request);
  const signedIn = await findSession(ctx, request);
  if (!signedIn) return pageResponse(await signInPage(ctx, request, browser), 200, headers);
  const page = await connectedAppsPage(ctx, request, browser, signedIn);
  return pageResponse(page, 200, headers);
}

async function connectedAppsPage(
  ctx: Context,
  request: Request,
  browser: Browser,
  { session, user }: SignedInUser,
): Promise<Page> {
  const apps = await listConnectedApps(ctx, user);
  const frame = frameProps(ctx, request);
  const describer = { ctx, language: frame.language };
  return ctx.settings.pages.account({
    ...frame,
    user: describeUser(user),
    apps: await Promise.all(apps.map((app) => describeApp(describer, app))),
    formToken: await formToken(browser, removePurpose(session.sid)),
    signOut: {
      action: `${ctx.settings.base}/sign-out`,
      formToken: await formToken(browser, signOutPurpose),
    },
  });
}

/** Describes an app. A client that was deleted is listed by its id, so that its access can be removed. */
async function describeApp(
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
