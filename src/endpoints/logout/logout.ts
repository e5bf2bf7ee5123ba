import { redirect } from "../../http/answer.ts";
import { readForm, readQuery } from "../../http/body.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import { checkFormToken, formToken, knownBrowser, meetBrowser } from "../../issuer/sessions/browsers.ts";
import type { Context } from "../../issuer/context.ts";
import type { SignedIn } from "../../issuer/sessions/sessions.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { frame, showPage } from "../answers/show_page.ts";
import { leave } from "./leave.ts";
import type { LogoutRequest } from "./request.ts";
import { findLogoutRequest, keepLogoutRequest, readLogoutRequest } from "./request.ts";

/** A client sends a person's browser here to sign out (OpenID Connect RP-Initiated Logout, section 2). */
export async function logout(ctx: Context, request: Request): Promise<Response> {
  const parameters = readQuery(request);
  const asked = await readLogoutRequest(ctx, request, parameters);
  if (mustAsk(asked, await findSession(ctx, request))) return await goOnByGet(ctx, request, parameters, asked);
  return await grant(ctx, request, asked);
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
  if (signedIn && mustAsk(asked, signedIn)) return await askPerson(ctx, request, { handle, asked, signedIn });
  return await grant(ctx, request, asked);
}

/** Takes the person's word that they want to sign out. */
export async function confirmLogout(ctx: Context, request: Request, handle: string): Promise<Response> {
  const asked = await findLogoutRequest(ctx, request, handle);
  const form = await readForm(request);
  const signedIn = await findSession(ctx, request);
  if (!signedIn) return await grant(ctx, request, asked);
  await checkFormToken(await knownBrowser(ctx, request), purposeOf(handle, signedIn), form);
  return await grant(ctx, request, asked, "confirmed");
}

/** Any page could send a person here. Only an ID token of this very session shows that it comes from a client that they use (section 2). */
function mustAsk({ hint }: LogoutRequest, signedIn: SignedIn | undefined): boolean {
  return signedIn !== undefined && hint?.sid !== signedIn.session.sid;
}

async function grant(ctx: Context, request: Request, asked: LogoutRequest, word?: "confirmed"): Promise<Response> {
  const { hint, client, returnTo } = asked;
  if (!client || returnTo === undefined) return await leave(ctx, request);
  // Without a hint, and with nobody to ask, the request may come from anywhere.
  const by = hint || word ? "redirect" : "link";
  return await leave(ctx, request, { url: returnTo, name: client.name, by });
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
    returnTo: asked.returnTo?.split("?")[0],
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
