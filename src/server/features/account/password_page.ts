import { minPasswordLength } from "../../config/passwords.ts";
import { framePropsWith, pageResponse } from "../../endpoints/responses/page_response.ts";
import { readForm } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { notFound } from "../../http/router.ts";
import type { RequestContext } from "../../issuer/context.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import type { SignedInUser } from "../../issuer/sessions/signed_in_user.ts";
import type { Page } from "../../pages/pages.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { accountPath, signInPage } from "./account_sign_in.ts";
import { accountPages, accountTexts } from "./config.ts";
import type { PasswordProblem } from "./languages/words.ts";
import {
  canChangePassword,
  changePassword,
  isRecentSession,
  newPasswordProblem,
  type TypedPasswords,
} from "./password_change.ts";

/** Shows the form with which users change the password, after a recent sign-in. */
export async function showPasswordForm(ctx: RequestContext): Promise<ResponseData> {
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const signedIn = await findUserWithPassword(ctx);
  const page = signedIn && isRecentSession(ctx, signedIn.session)
    ? await passwordPage(ctx, browser, signedIn)
    : await signInPage(ctx, browser, {
      next: "password",
      username: signedIn?.user.name ?? "",
    });
  return await pageResponse(page, 200, headers);
}

/** Changes the password. */
export async function changePasswordByForm(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const signedIn = await findUserWithPassword(ctx);
  if (!signedIn || !isRecentSession(ctx, signedIn.session)) {
    return redirectResponse(accountPath(ctx, "password"));
  }
  const purpose = passwordPurpose(signedIn);
  const browser = await checkFormToken(ctx, await findBrowser(ctx), purpose, form);
  const typed = readPasswords(form);
  const problem = newPasswordProblem(signedIn.user, typed);
  const changed = !problem && await changePassword(ctx, signedIn, typed);
  if (changed) return redirectResponse(accountPath(ctx), changed.headers);
  const page = await passwordPage(ctx, browser, signedIn, problem ?? "wrong");
  return await pageResponse(page, 422);
}

/** Finds the user who is signed in. Throws if this user cannot change the password here. */
async function findUserWithPassword(ctx: RequestContext): Promise<SignedInUser | undefined> {
  const signedIn = await findSession(ctx);
  if (signedIn && !canChangePassword(ctx, signedIn.user)) throw notFound();
  return signedIn;
}

async function passwordPage(
  ctx: RequestContext,
  browser: Browser,
  signedIn: SignedInUser,
  problem?: PasswordProblem,
): Promise<Page> {
  return accountPages.of(ctx.settings.pages).changePassword({
    ...await framePropsWith(ctx, accountTexts),
    action: accountPath(ctx, "password"),
    formToken: await formToken(browser, passwordPurpose(signedIn)),
    username: signedIn.user.name,
    minLength: minPasswordLength,
    problem,
  });
}

function readPasswords(form: FormParameters): TypedPasswords {
  return {
    current: form.get("current_password") ?? "",
    next: form.get("new_password") ?? "",
    repeated: form.get("repeated_password") ?? "",
  };
}

/** The form works only in the session that it was made for. */
function passwordPurpose({ session: { sid } }: SignedInUser): string {
  return `change password ${sid}`;
}
