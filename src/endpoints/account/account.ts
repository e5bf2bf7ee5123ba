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
import type { ConnectedAppProps } from "../../pages/account.tsx";
import { untrustedClientNotice } from "../../protocol/client_trust.ts";
import { describeAccess } from "../responses/describe_access.ts";
import { frameProps, pageResponse } from "../responses/page_response.ts";
import { signInPage } from "./account_sign_in.ts";
import { removePurpose } from "./remove_access.ts";

/** Shows users what they have allowed to whom (OAuth 2.1, section 7.9), after they signed in. */
export async function account(ctx: Context, request: Request): Promise<Response> {
  const { browser, headers } = await findOrCreateBrowser(ctx, request);
  const signedIn = await findSession(ctx, request);
  if (!signedIn) return pageResponse(await signInPage(ctx, browser), 200, headers);
  return await accountResponse(ctx, browser, signedIn, headers);
}

async function accountResponse(
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

/** The client may be gone: its access can be removed as well. */
async function describeApp(
  ctx: Context,
  { clientId, access, claims, since, latest }: ConnectedApp,
): Promise<ConnectedAppProps> {
  const client = await findClient(ctx, clientId);
  const [redirectUri] = client?.native ? [] : client?.redirectUris ?? [];
  return {
    clientId,
    name: client?.name ?? clientId,
    host: redirectUri && new URL(redirectUri).host,
    untrustedClient: client && untrustedClientNotice(client, client.redirectUris),
    ...describeAccess(ctx, access, claims),
    since: dateOf(since),
    latest: dateOf(latest),
    action: `${ctx.settings.base}/account/remove`,
  };
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
