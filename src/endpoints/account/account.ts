import type { HeaderList } from "../../http/answer.ts";
import type { Client } from "../../protocol/client.ts";
import { noticeOf } from "../../protocol/client_trust.ts";
import type { ConnectedAppProps } from "../../pages/account.tsx";
import type { Browser } from "../../issuer/sessions/browsers.ts";
import { formToken, meetBrowser } from "../../issuer/sessions/browsers.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { ConnectedApp } from "../../issuer/authorizations/connected_apps.ts";
import { listConnectedApps } from "../../issuer/authorizations/connected_apps.ts";
import type { Context } from "../../issuer/context.ts";
import type { SignedIn } from "../../issuer/sessions/sessions.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { describeAccess } from "../answers/describe_access.ts";
import { frame, showPage } from "../answers/show_page.ts";
import { signOutPurpose } from "../sign_out.ts";
import { removePurpose } from "./remove.ts";
import { signInPage } from "./sign_in.ts";

/** Shows people what they have allowed, and to whom (OAuth 2.1, section 7.9); whoever is not signed in signs in first. */
export async function account(ctx: Context, request: Request): Promise<Response> {
  const { browser, headers } = await meetBrowser(ctx, request);
  const signedIn = await findSession(ctx, request);
  if (!signedIn) return showPage(await signInPage(ctx, browser), 200, headers);
  return await showAccount(ctx, browser, signedIn, headers);
}

async function showAccount(ctx: Context, browser: Browser, { session, user }: SignedIn, headers: HeaderList): Promise<Response> {
  const apps = await listConnectedApps(ctx, user);
  const page = ctx.settings.pages.account({
    ...frame(ctx),
    userName: user.name,
    apps: await Promise.all(apps.map(async (app) => describeApp(ctx, app, await findClient(ctx, app.clientId)))),
    formToken: await formToken(browser, removePurpose(session.sid)),
    signOut: { action: `${ctx.settings.base}/sign-out`, formToken: await formToken(browser, signOutPurpose) },
  });
  return showPage(page, 200, headers);
}

/** What was allowed to a client that is gone can be taken back as well. */
function describeApp(
  ctx: Context,
  { clientId, access, claims, since, latest }: ConnectedApp,
  client: Client | undefined,
): ConnectedAppProps {
  const [redirectUri] = client?.native ? [] : client?.redirectUris ?? [];
  return {
    clientId,
    name: client?.name ?? clientId,
    host: redirectUri && new URL(redirectUri).host,
    untrustedClient: client && noticeOf(client, client.redirectUris),
    ...describeAccess(ctx, access, claims),
    since: dateOf(since),
    latest: dateOf(latest),
    action: `${ctx.settings.base}/account/remove`,
  };
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
