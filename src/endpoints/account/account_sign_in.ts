import { readForm } from "../../http/body.ts";
import { redirectResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { startSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/users/authenticate_user.ts";
import type { Page } from "../../pages/pages.ts";
import { frameProps, pageResponse } from "../responses/page_response.ts";

const purpose = "account sign-in";

/** A page below the account page; none is the account page itself. */
type AccountPart = "password" | undefined;

/** What a sign-in page shows, and where it leads. */
interface AccountSignIn {
  next?: AccountPart;
  username?: string;
  failed?: boolean;
}

/** Returns the path of the account page, or of one below it. */
export function accountPath({ settings: { base } }: Context, part?: AccountPart): string {
  return part ? `${base}/account/${part}` : `${base}/account`;
}

/** Handles the sign-in form of a user whom no application sent. */
export async function signInToAccount(ctx: Context, request: Request): Promise<Response> {
  const form = await readForm(ctx.apply, request);
  const browser = await checkFormToken(ctx, await findBrowser(ctx, request), purpose, form);
  const next = readNext(request);
  const authentication = await authenticateUser(ctx, request, form, {});
  if (!authentication) {
    const username = form.get("username") ?? "";
    const page = await signInPage(ctx, request, browser, { next, username, failed: true });
    return pageResponse(page, 422);
  }
  const { headers } = await startSession(ctx, request, authentication);
  return redirectResponse(accountPath(ctx, next), headers);
}

/** Returns the sign-in page. */
export async function signInPage(
  ctx: Context,
  request: Request,
  browser: Browser,
  { next, username = "", failed = false }: AccountSignIn = {},
): Promise<Page> {
  const frame = frameProps(ctx, request);
  const query = next ? `?next=${next}` : "";
  return ctx.settings.pages.signIn({
    ...frame,
    clientName: frame.language.words.signIn.yourAccount,
    action: `${accountPath(ctx)}/sign-in${query}`,
    formToken: await formToken(browser, purpose),
    username,
    failed,
  });
}

/** Reads where the sign-in leads: never a URL, which an attacker could choose. */
function readNext({ url }: Request): AccountPart {
  return new URL(url).searchParams.get("next") === "password" ? "password" : undefined;
}
