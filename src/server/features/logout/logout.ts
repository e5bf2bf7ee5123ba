import { pathBelow } from "../../config/endpoint_paths.ts";
import {
  describeUser,
  framePropsWith,
  pageResponse,
} from "../../endpoints/responses/page_response.ts";
import { type SignedOutRemarks, signedOutResponse } from "../../endpoints/sign_out.ts";
import { readForm, readQuery } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { SignedInUser } from "../../issuer/active_features.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import {
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { findSession, findUnaskedSession } from "../../issuer/sessions/sessions.ts";
import { findUser, sidFor } from "../../issuer/users/users.ts";
import type { TextLoaders } from "../../pages/languages/languages.ts";
import { untrustedClientNotice } from "../../protocol/client_trust.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { logoutServer } from "./config.ts";
import type { LogoutWords } from "./languages/en.ts";
import { mayRedirectAfterLogout } from "./logout_request.ts";
import {
  findLogoutRequest,
  logoutParts,
  readLogoutRequest,
  type ResolvedLogoutRequest,
  storeLogoutRequest,
} from "./logout_requests.ts";

/** Loads the texts of the page of a logout request. */
export const logoutTexts: TextLoaders<LogoutWords> = {
  en: async () => (await import("./languages/en.ts")).en,
  de: async () => (await import("./languages/de.ts")).de,
  es: async () => (await import("./languages/es.ts")).es,
  ar: async () => (await import("./languages/ar.ts")).ar,
};

/**
 * Handles a logout request, which a client sends through the user's browser (OpenID Connect
 * RP-Initiated Logout, section 2).
 */
export async function logout(ctx: RequestContext): Promise<ResponseData> {
  const parameters = readQuery(ctx);
  const logoutRequest = await readLogoutRequest(ctx, parameters);
  const signedIn = await findSessionToEnd(ctx, logoutRequest);
  if (signedIn && await needsConfirmation(ctx, logoutRequest, signedIn)) {
    return await redirectToGet(ctx, parameters, logoutRequest);
  }
  return await finishLogout(ctx, { logoutRequest, signedIn });
}

/**
 * Handles a logout request by POST. It is stored and then named in a GET, because only a GET
 * carries the `SameSite=Lax` cookies.
 */
export async function logoutByPost(ctx: RequestContext): Promise<ResponseData> {
  const parameters = await readForm(ctx);
  const logoutRequest = await readLogoutRequest(ctx, parameters);
  return await redirectToGet(ctx, parameters, logoutRequest);
}

/** Continues a stored logout request: asks the user to confirm it, or finishes it. */
export async function logoutByHandle(ctx: RequestContext, handle: string): Promise<ResponseData> {
  const logoutRequest = await findLogoutRequest(ctx, handle);
  const signedIn = await findSessionToEnd(ctx, logoutRequest);
  if (signedIn && await needsConfirmation(ctx, logoutRequest, signedIn)) {
    const { browser, headers } = await findOrCreateBrowser(ctx);
    const page = logoutParts(ctx).pages.signOut({
      ...await framePropsWith(ctx, logoutTexts),
      action: logoutPath(ctx, handle),
      formToken: await formToken(browser, confirmationPurpose(handle, signedIn)),
      user: describeUser(signedIn.user),
      clientName: logoutRequest.client?.name,
      ...remarksOn(ctx, logoutRequest),
      returnTo: logoutRequest.returnTo.location?.split("?")[0],
    });
    return await pageResponse(page, 200, headers);
  }
  return await finishLogout(ctx, { logoutRequest, signedIn });
}

/** Handles the form by which the user confirms the sign-out. */
export async function confirmLogout(ctx: RequestContext, handle: string): Promise<ResponseData> {
  const logoutRequest = await findLogoutRequest(ctx, handle);
  const form = await readForm(ctx);
  const signedIn = await findSessionToEnd(ctx, logoutRequest);
  if (!signedIn) return await finishLogout(ctx, { logoutRequest });
  const purpose = confirmationPurpose(handle, signedIn);
  await checkFormToken(ctx, await findBrowser(ctx), purpose, form);
  return await finishLogout(ctx, { logoutRequest, signedIn, isConfirmed: true });
}

/** Finds the session of a browser. Without a cookie, an ID token alone can name it. */
async function findSessionToEnd(
  ctx: RequestContext,
  logoutRequest: ResolvedLogoutRequest,
): Promise<SignedInUser | undefined> {
  for (const name of ctx.hooks.unasked?.sessions.keys() ?? []) {
    const user = await findUser(ctx, name);
    const signedIn = user && await findUnaskedSession(ctx, user);
    if (await isOwnSession(ctx, logoutRequest, signedIn)) return signedIn;
  }
  return await findSession(ctx);
}

/**
 * Any page could send a user here. Only an ID token of this very session proves that the request
 * comes from a client that the user has signed in to (section 2); without any, a setting decides. A
 * request with an unusable redirect URI is suspicious as well, so the user is asked (section 3).
 */
async function needsConfirmation(
  ctx: Context,
  logoutRequest: ResolvedLogoutRequest,
  signedIn: SignedInUser,
): Promise<boolean> {
  if (logoutRequest.returnTo.problem !== undefined) return true;
  return !mayLackHint(ctx, logoutRequest) && !await isOwnSession(ctx, logoutRequest, signedIn);
}

/** Whether a request without an ID token is taken for one of its client, which not anyone made. */
function mayLackHint({ settings }: Context, { hint, client }: ResolvedLogoutRequest): boolean {
  return hint === undefined && client?.trusted !== false &&
    logoutServer.of(settings).logoutConfirmation === "skip";
}

/** Whether the ID token of a request belongs to the session that would end. */
async function isOwnSession(
  ctx: Context,
  { hint, client }: ResolvedLogoutRequest,
  signedIn: SignedInUser | undefined,
): Promise<boolean> {
  if (!signedIn || !client || hint?.sid === undefined) return false;
  return hint.sid === await sidFor(ctx, client, signedIn.session.sid);
}

async function finishLogout(
  ctx: RequestContext,
  { logoutRequest, signedIn, isConfirmed = false }: {
    logoutRequest: ResolvedLogoutRequest;
    signedIn?: SignedInUser | undefined;
    isConfirmed?: boolean;
  },
): Promise<ResponseData> {
  const { hint, client, returnTo: { location } } = logoutRequest;
  const remarks = remarksOn(ctx, logoutRequest);
  if (!client || location === undefined) {
    return await signedOutResponse(ctx, undefined, remarks, signedIn);
  }
  const conditions = {
    isFromClient: hint !== undefined || mayLackHint(ctx, logoutRequest),
    isOwnSession: await isOwnSession(ctx, logoutRequest, signedIn),
    isConfirmed,
  };
  const by = mayRedirectAfterLogout(client, conditions) ? "redirect" : "link";
  return await signedOutResponse(ctx, { url: location, name: client.name, by }, remarks, signedIn);
}

function remarksOn(
  { settings: { hints } }: Context,
  { client, returnTo: { problem } }: ResolvedLogoutRequest,
): SignedOutRemarks {
  return {
    untrustedClient: client && untrustedClientNotice(client, []),
    hint: hints ? problem : undefined,
  };
}

async function redirectToGet(
  ctx: RequestContext,
  parameters: FormParameters,
  { hint }: ResolvedLogoutRequest,
): Promise<ResponseData> {
  return redirectResponse(logoutPath(ctx, await storeLogoutRequest(ctx, parameters, hint)));
}

function logoutPath(ctx: Context, handle: string): string {
  return `${ctx.settings.base}${pathBelow(logoutParts(ctx).path, handle)}`;
}

/** A form made for one session signs out no other. */
function confirmationPurpose(handle: string, { session }: SignedInUser): string {
  return `logout ${handle} ${session.sid}`;
}
