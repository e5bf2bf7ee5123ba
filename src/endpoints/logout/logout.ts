import { readForm, readQuery } from "../../http/body.ts";
import { redirect } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import {
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { findSession, type SignedInUser } from "../../issuer/sessions/sessions.ts";
import { sidFor } from "../../issuer/users/users.ts";
import { mayRedirectAfterLogout, untrustedClientNotice } from "../../protocol/client_trust.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { frameProps, pageResponse } from "../responses/page_response.ts";
import {
  findLogoutRequest,
  readLogoutRequest,
  type ResolvedLogoutRequest,
  storeLogoutRequest,
} from "./logout_requests.ts";
import { leave, type LogoutRemarks } from "./signed_out_response.ts";

/** A client sends a person's browser here to sign out (OpenID Connect RP-Initiated Logout, section 2). */
export async function logout(ctx: Context, request: Request): Promise<Response> {
  const parameters = readQuery(request);
  const logoutRequest = await readLogoutRequest(ctx, request, parameters);
  const signedIn = await findSession(ctx, request);
  if (signedIn && await needsConfirmation(ctx, logoutRequest, signedIn)) {
    return await redirectToGet(ctx, request, parameters, logoutRequest);
  }
  return await grant(ctx, request, { logoutRequest, signedIn });
}

/** A request by POST is kept, then fetched by GET: only a GET brings the `SameSite=Lax` cookies along. */
export async function logoutByPost(ctx: Context, request: Request): Promise<Response> {
  const parameters = await readForm(request);
  return await redirectToGet(
    ctx,
    request,
    parameters,
    await readLogoutRequest(ctx, request, parameters),
  );
}

/** Goes on with a request that was kept: it is granted, or the person is asked. */
export async function logoutByHandle(
  ctx: Context,
  request: Request,
  handle: string,
): Promise<Response> {
  const logoutRequest = await findLogoutRequest(ctx, request, handle);
  const signedIn = await findSession(ctx, request);
  if (signedIn && await needsConfirmation(ctx, logoutRequest, signedIn)) {
    return await confirmationResponse(ctx, request, { handle, logoutRequest, signedIn });
  }
  return await grant(ctx, request, { logoutRequest, signedIn });
}

/** Takes the person's word that they want to sign out. */
export async function confirmLogout(
  ctx: Context,
  request: Request,
  handle: string,
): Promise<Response> {
  const logoutRequest = await findLogoutRequest(ctx, request, handle);
  const form = await readForm(request);
  const signedIn = await findSession(ctx, request);
  if (!signedIn) return await grant(ctx, request, { logoutRequest });
  await checkFormToken(await findBrowser(ctx, request), purposeOf(handle, signedIn), form);
  return await grant(ctx, request, { logoutRequest, signedIn, isConfirmed: true });
}

/**
 * Any page could send a person here. Only an ID token of this very session shows that it comes from
 * a client that they use (section 2). Where an address is dropped, the request is not what it
 * seems, and the person is asked as well (section 3).
 */
async function needsConfirmation(
  ctx: Context,
  logoutRequest: ResolvedLogoutRequest,
  signedIn: SignedInUser,
): Promise<boolean> {
  return logoutRequest.returnTo.problem !== undefined ||
    !await isOwnSession(ctx, logoutRequest, signedIn);
}

/** Whether the ID token that came along is of the session that is being ended. */
async function isOwnSession(
  ctx: Context,
  { hint, client }: ResolvedLogoutRequest,
  signedIn: SignedInUser | undefined,
): Promise<boolean> {
  if (!signedIn || !client || hint?.sid === undefined) return false;
  return hint.sid === await sidFor(ctx, client, signedIn.session.sid);
}

/** A request to sign out that nothing speaks against any more. */
interface ConfirmedLogout {
  logoutRequest: ResolvedLogoutRequest;
  signedIn?: SignedInUser;
  isConfirmed?: boolean;
}

async function grant(
  ctx: Context,
  request: Request,
  { logoutRequest, signedIn, isConfirmed = false }: ConfirmedLogout,
): Promise<Response> {
  const { hint, client, returnTo: { location } } = logoutRequest;
  const remarks = remarksOn(ctx, logoutRequest);
  if (!client || location === undefined) return await leave(ctx, request, undefined, remarks);
  const situation = {
    hasHint: hint !== undefined,
    isOwnSession: await isOwnSession(ctx, logoutRequest, signedIn),
    isConfirmed,
  };
  const by = mayRedirectAfterLogout(client, situation) ? "redirect" : "link";
  return await leave(ctx, request, { url: location, name: client.name, by }, remarks);
}

function remarksOn(
  { settings: { hints } }: Context,
  { client, returnTo: { problem } }: ResolvedLogoutRequest,
): LogoutRemarks {
  return {
    untrustedClient: client && untrustedClientNotice(client, []),
    hint: hints ? problem : undefined,
  };
}

async function redirectToGet(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
  { hint }: ResolvedLogoutRequest,
): Promise<Response> {
  return redirect(logoutPath(ctx, await storeLogoutRequest(ctx, request, parameters, hint)));
}

/** A request to sign out, and who is to confirm it. */
interface UnconfirmedLogout {
  handle: string;
  logoutRequest: ResolvedLogoutRequest;
  signedIn: SignedInUser;
}

async function confirmationResponse(
  ctx: Context,
  request: Request,
  { handle, logoutRequest, signedIn }: UnconfirmedLogout,
): Promise<Response> {
  const { browser, headers } = await findOrCreateBrowser(ctx, request);
  const page = ctx.settings.pages.signOut({
    ...frameProps(ctx),
    action: logoutPath(ctx, handle),
    formToken: await formToken(browser, purposeOf(handle, signedIn)),
    userName: signedIn.user.name,
    clientName: logoutRequest.client?.name,
    ...remarksOn(ctx, logoutRequest),
    returnTo: logoutRequest.returnTo.location?.split("?")[0],
  });
  return pageResponse(page, 200, headers);
}

function logoutPath(ctx: Context, handle: string): string {
  return `${ctx.settings.base}/oauth2/logout/${handle}`;
}

/** A form that was made while one person was signed in signs out nobody else. */
function purposeOf(handle: string, { session }: SignedInUser): string {
  return `logout ${handle} ${session.sid}`;
}
