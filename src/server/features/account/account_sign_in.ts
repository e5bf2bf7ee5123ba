import { frameProps, pageResponse } from "../../endpoints/responses/page_response.ts";
import { type IncomingRequest, readForm } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { featuresOf } from "../../issuer/active_features.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { startSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/users/authenticate_user.ts";
import type { Page } from "../../pages/pages.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";

const purpose = "account sign-in";

/** A page below the account page; none is the account page itself. */
type AccountPart = "password" | undefined;

/** Returns the path of the account page, or of one below it. */
export function accountPath({ settings: { base } }: Context, part?: AccountPart): string {
  return part ? `${base}/account/${part}` : `${base}/account`;
}

/** Handles the sign-in form of a user whom no application sent. */
export async function signInToAccount(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const browser = await checkFormToken(ctx, await findBrowser(ctx), purpose, form);
  const next = readNext(ctx.request);
  const authentication = await authenticateUser(ctx, form, {});
  if (!authentication) {
    const page = await signInPage(ctx, browser, { next, sent: form });
    return await pageResponse(page, 422);
  }
  const { headers } = await startSession(ctx, authentication);
  return redirectResponse(accountPath(ctx, next), headers);
}

export async function signInPage(
  ctx: RequestContext,
  browser: Browser,
  { next, sent, username = sent?.get("username") ?? "" }: {
    next?: AccountPart;
    username?: string;
    /** The form of an attempt that failed. */
    sent?: FormParameters;
  } = {},
): Promise<Page> {
  const frame = await frameProps(ctx);
  const query = next ? `?next=${next}` : "";
  return ctx.settings.pages.signIn({
    ...frame,
    clientName: frame.language.words.signIn.yourAccount,
    action: `${accountPath(ctx)}/sign-in${query}`,
    formToken: await formToken(browser, purpose),
    username,
    byEmail: featuresOf(ctx).signInName !== undefined,
    failed: sent !== undefined,
    sent,
  });
}

/** Reads where the sign-in leads: never a URL, which an attacker could choose. */
function readNext({ url }: IncomingRequest): AccountPart {
  return new URL(url).searchParams.get("next") === "password" ? "password" : undefined;
}
