import { pageResponse } from "../../endpoints/responses/page_response.ts";
import { type FailedAttempt, signInProps } from "../../endpoints/responses/sign_in_props.ts";
import { type IncomingRequest, readForm } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
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

const purpose = "account sign-in";

/** A page below the account page; none is the account page itself. */
export type AccountPart = "password" | "passkeys" | undefined;

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
  if (typeof authentication === "string") {
    const attempt = { form, failure: authentication };
    const page = await signInPage(ctx, browser, { next, attempt });
    return await pageResponse(page, 422);
  }
  const { headers } = await startSession(ctx, authentication);
  return redirectResponse(accountPath(ctx, next), headers);
}

export async function signInPage(
  ctx: RequestContext,
  browser: Browser,
  { next, attempt = {}, username = attempt.form?.get("username") ?? "" }: {
    next?: AccountPart;
    username?: string;
    attempt?: FailedAttempt;
  } = {},
): Promise<Page> {
  const query = next ? `?next=${next}` : "";
  const form = {
    action: `${accountPath(ctx)}/sign-in${query}`,
    formToken: await formToken(browser, purpose),
  };
  const props = await signInProps(ctx, form, attempt);
  const clientName = props.language.words.signIn.yourAccount;
  return ctx.settings.pages.signIn({ ...props, clientName, username });
}

/** Reads where the sign-in leads: never a URL, which an attacker could choose. */
function readNext({ url }: IncomingRequest): AccountPart {
  const next = new URL(url).searchParams.get("next");
  return next === "password" || next === "passkeys" ? next : undefined;
}
