import { describeAccess, type Describer } from "../../endpoints/responses/describe_access.ts";
import {
  describeUser,
  framePropsWith,
  pageResponse,
} from "../../endpoints/responses/page_response.ts";
import { readForm } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { featuresOf, type SignedInUser } from "../../issuer/active_features.ts";
import { disconnectApp } from "../../issuer/authorizations/withdrawals.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
  signOutPurpose,
} from "../../issuer/sessions/browsers.ts";
import { endSessionsWhere, listSessions } from "../../issuer/sessions/session_lists.ts";
import { findSufficientSession } from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { Page } from "../../pages/pages.ts";
import { untrustedClientNotice } from "../../protocol/client_trust.ts";
import { requiresParameter } from "../../protocol/form_parameters.ts";
import { requirePresent, ruleSet } from "../../protocol/rule.ts";
import type { PasswordProps } from "./account.tsx";
import { accountPath, signInPage } from "./account_sign_in.ts";
import { accountPages, accountTexts } from "./config.ts";
import type { ConnectedAppProps } from "./connected_app.tsx";
import { type ConnectedApp, listConnectedApps } from "./connected_apps.ts";
import { canChangePassword } from "./password_page.ts";
import type { SessionProps } from "./session_list.tsx";
import { describeWaiting } from "./waiting_requests.ts";

/** How many sessions the page shows. Its button also ends those that it does not show. */
const maxSessions = 50;

const about = { see: "OAuth 2.1, section 7.9", error: "invalid_request" } as const;

const accountRules = ruleSet("account", about, { client_id: requiresParameter("client_id") });

/**
 * Shows users where they are signed in, and the applications to which they have given access (OAuth
 * 2.1, section 7.9).
 */
export async function account(ctx: RequestContext): Promise<ResponseData> {
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const signedIn = await findSufficientSession(ctx);
  if (!signedIn) return await pageResponse(await signInPage(ctx, browser), 200, headers);
  const page = await accountPage(ctx, browser, signedIn);
  return await pageResponse(page, 200, headers);
}

/** Ends one session of the user, or all but that of this browser. */
export async function endSessions(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const signedIn = await findSufficientSession(ctx);
  if (!signedIn) return redirectResponse(accountPath(ctx));
  const { user, session: { sid: currentSid } } = signedIn;
  await checkFormToken(ctx, await findBrowser(ctx), endSessionsPurpose(currentSid), form);
  const chosen = form.get("session");
  await endSessionsWhere(
    ctx,
    user,
    ({ sid }) => sid !== currentSid && (chosen === "others" || chosen === sid),
  );
  return redirectResponse(accountPath(ctx));
}

/** Removes everything that a user has allowed an application (OAuth 2.1, section 7.9). */
export async function removeAccess(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const signedIn = await findSufficientSession(ctx);
  if (!signedIn) return redirectResponse(accountPath(ctx));
  await checkFormToken(ctx, await findBrowser(ctx), removePurpose(signedIn.session.sid), form);
  const clientId = requirePresent(ctx.apply, accountRules.client_id, form.get("client_id"));
  await disconnectApp(ctx, signedIn.user.subject, clientId, "the user removed it");
  return redirectResponse(accountPath(ctx));
}

async function accountPage(
  ctx: RequestContext,
  browser: Browser,
  signedIn: SignedInUser,
): Promise<Page> {
  const { session, user } = signedIn;
  const { pages, base } = ctx.settings;
  const after = new URL(ctx.request.url).searchParams.get("after") ?? undefined;
  const { apps, next } = await listConnectedApps(ctx, user, after);
  const frame = await framePropsWith(ctx, accountTexts);
  const describer = { ctx, language: frame.language };
  return accountPages.of(pages).account({
    ...frame,
    user: describeUser(user),
    signOut: {
      action: `${base}/sign-out`,
      formToken: await formToken(browser, signOutPurpose),
    },
    waiting: await describeWaiting(ctx, browser, signedIn),
    sessions: await describeSessions(ctx, signedIn),
    endSessions: {
      action: `${accountPath(ctx)}/sessions`,
      formToken: await formToken(browser, endSessionsPurpose(session.sid)),
    },
    ...canChangePassword(ctx, user) && { password: describePassword(ctx, user) },
    passkeys: await featuresOf(ctx).passkeys?.accountSection(ctx, user),
    ...next !== undefined && {
      moreApps: `${accountPath(ctx)}?${new URLSearchParams({ after: next })}`,
    },
    apps: await Promise.all(apps.map((app) => describeApp(describer, app))),
    formToken: await formToken(browser, removePurpose(session.sid)),
  });
}

function describePassword(ctx: Context, { passwordChangedAt }: User): PasswordProps {
  const href = accountPath(ctx, "password");
  if (passwordChangedAt === undefined) return { href };
  return { href, age: Math.max(0, ctx.now() - passwordChangedAt) / 1000 };
}

async function describeSessions(
  ctx: Context,
  { session: current, user }: SignedInUser,
): Promise<SessionProps[]> {
  const sessions = await listSessions(ctx, user, maxSessions);
  const others = sessions.filter(({ sid }) => sid !== current.sid);
  return [current, ...others].map((session) => ({
    sid: session.sid,
    ...session.userAgent,
    age: Math.max(0, numericDate(ctx) - session.authTime),
    isCurrent: session === current,
  }));
}

/**
 * Describes an app. A client that was deleted is listed by its id, so that its access can be
 * removed.
 */
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
    byOperator: client?.consent === "skip",
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

/** The forms work only in the session that they were made for. */
function endSessionsPurpose(sid: string): string {
  return `end sessions ${sid}`;
}

function removePurpose(sid: string): string {
  return `remove access ${sid}`;
}
