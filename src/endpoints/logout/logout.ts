import { redirect } from "../../http/answer.ts";
import { readForm, readQuery } from "../../http/body.ts";
import { mayRedirectAfterLogout, noticeOf } from "../../protocol/client_trust.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import { checkFormToken, formToken, knownBrowser, meetBrowser } from "../../issuer/sessions/browsers.ts";
import type { Context } from "../../issuer/context.ts";
import { sidFor } from "../../issuer/sessions/client_sid.ts";
import type { SignedIn } from "../../issuer/sessions/sessions.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { frame, showPage } from "../answers/show_page.ts";
import type { LogoutRemarks } from "./leave.ts";
import { leave } from "./leave.ts";
import type { LogoutRequest } from "./request.ts";
import { findLogoutRequest, keepLogoutRequest, readLogoutRequest } from "./request.ts";

/** A client sends a person's browser here to sign out (OpenID Connect RP-Initiated Logout, section 2). */
export async function logout(ctx: Context, request: Request): Promise<Response> {
  const parameters = readQuery(request);
  const asked = await readLogoutRequest(ctx, request, parameters);
  const signedIn = await findSession(ctx, request);
  if (signedIn && await mustAsk(ctx, asked, signedIn)) return await goOnByGet(ctx, request, parameters, asked);
  return await grant(ctx, request, { asked, signedIn });
}

/** A request by POST is kept, then fetched by GET: only a GET brings the `SameSite=Lax` cookies along. */
export async function logoutByPost(ctx: Context, request: Request): Promise<Response> {
  const parameters = await readForm(request);
  return await goOnByGet(ctx, request, parameters, await readLogoutRequest(ctx, request, parameters));
}

/** Goes on with a request that was kept: it is granted, or the person is asked. */
export async function logoutKept(ctx: Context, request: Request, handle: string): Promise<Response> {
  const asked = await findLogoutRequest(ctx, request, handle);
  const signedIn = await findSession(ctx, request);
  if (signedIn && await mustAsk(ctx, asked, signedIn)) return await askPerson(ctx, request, { handle, asked, signedIn });
  return await grant(ctx, request, { asked, signedIn });
}

/** Takes the person's word that they want to sign out. */
export async function confirmLogout(ctx: Context, request: Request, handle: string): Promise<Response> {
  const asked = await findLogoutRequest(ctx, request, handle);
  const form = await readForm(request);
  const signedIn = await findSession(ctx, request);
  if (!signedIn) return await grant(ctx, request, { asked });
  await checkFormToken(await knownBrowser(ctx, request), purposeOf(handle, signedIn), form);
  return await grant(ctx, request, { asked, signedIn, isConfirmed: true });
}

/**
 * Any page could send a person here. Only an ID token of this very session shows that it comes from
 * a client that they use (section 2). Where an address is dropped, the request is not what it
 * seems, and the person is asked as well (section 3).
 */
async function mustAsk(ctx: Context, asked: LogoutRequest, signedIn: SignedIn): Promise<boolean> {
  return asked.returnTo.dropped !== undefined || !await isOwnSession(ctx, asked, signedIn);
}

/** Whether the ID token that came along is of the session that is being ended. */
async function isOwnSession(ctx: Context, { hint, client }: LogoutRequest, signedIn: SignedIn | undefined): Promise<boolean> {
  if (!signedIn || !client || hint?.sid === undefined) return false;
  return hint.sid === await sidFor(ctx, client, signedIn.session.sid);
}

/** A request to sign out that nothing speaks against any more. */
interface Granted {
  asked: LogoutRequest;
  signedIn?: SignedIn;
  isConfirmed?: boolean;
}

async function grant(ctx: Context, request: Request, { asked, signedIn, isConfirmed = false }: Granted): Promise<Response> {
  const { hint, client, returnTo: { location } } = asked;
  const remarks = remarksOn(ctx, asked);
  if (!client || location === undefined) return await leave(ctx, request, undefined, remarks);
  const situation = { hasHint: hint !== undefined, isOwnSession: await isOwnSession(ctx, asked, signedIn), isConfirmed };
  const by = mayRedirectAfterLogout(client, situation) ? "redirect" : "link";
  return await leave(ctx, request, { url: location, name: client.name, by }, remarks);
}

function remarksOn({ settings: { hints } }: Context, { client, returnTo: { dropped } }: LogoutRequest): LogoutRemarks {
  return { untrustedClient: client && noticeOf(client, []), hint: hints ? dropped : undefined };
}

async function goOnByGet(ctx: Context, request: Request, parameters: Parameters, { hint }: LogoutRequest): Promise<Response> {
  return redirect(logoutPath(ctx, await keepLogoutRequest(ctx, request, parameters, hint)));
}

/** A request to sign out, and who is to confirm it. */
interface Unconfirmed {
  handle: string;
  asked: LogoutRequest;
  signedIn: SignedIn;
}

async function askPerson(ctx: Context, request: Request, { handle, asked, signedIn }: Unconfirmed): Promise<Response> {
  const { browser, headers } = await meetBrowser(ctx, request);
  const page = ctx.settings.pages.signOut({
    ...frame(ctx),
    action: logoutPath(ctx, handle),
    formToken: await formToken(browser, purposeOf(handle, signedIn)),
    userName: signedIn.user.name,
    clientName: asked.client?.name,
    ...remarksOn(ctx, asked),
    returnTo: asked.returnTo.location?.split("?")[0],
  });
  return showPage(page, 200, headers);
}

function logoutPath(ctx: Context, handle: string): string {
  return `${ctx.settings.base}/oauth2/logout/${handle}`;
}

/** A form that was made while one person was signed in signs out nobody else. */
function purposeOf(handle: string, { session }: SignedIn): string {
  return `logout ${handle} ${session.sid}`;
}
