import { minPasswordLength } from "../../config/passwords.ts";
import { framePropsWith, pageResponse } from "../../endpoints/responses/page_response.ts";
import { readForm } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { notFound } from "../../http/router.ts";
import type { SignedInUser } from "../../issuer/active_features.ts";
import { revokeAuthorizationsOfUser } from "../../issuer/authorizations/authorizations.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { changeStored, placeOfUser } from "../../issuer/directory/directory_entries.ts";
import { randomId } from "../../issuer/random.ts";
import { AdminError } from "../../issuer/records/lock.ts";
import type { Session } from "../../issuer/records/rows.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { endSessionsWhere } from "../../issuer/sessions/session_lists.ts";
import {
  findSufficientSession,
  type StartedSession,
  startSession,
} from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";
import { authenticateByForm } from "../../issuer/users/authenticate_user.ts";
import type { User } from "../../model/user.ts";
import type { Page } from "../../pages/pages.ts";
import { type FormParameters, toParameters } from "../../protocol/form_parameters.ts";
import { ruleSet } from "../../protocol/rule.ts";
import { minute } from "../../util/time/duration.ts";
import { accountPath, signInPage } from "./account_sign_in.ts";
import { accountPages, accountTexts } from "./config.ts";
import type { PasswordProblem } from "./languages/en.ts";
import { hasOwnSignIn } from "./password_links.ts";

/** In seconds: a browser that was left open must not be enough to take an account over. */
const maxSessionAge = 10 * minute;

const about = {
  see: "RFC 9110, section 15.5.4",
  error: "invalid_request",
  details: { see: undefined, status: 403, isExpired: true },
} as const;

export const accountRules = ruleSet("account", about, {
  // An administrator, or this form in another tab, may have been faster: their change stays.
  unchanged: {
    title: "The account must not have changed while the form was open",
    // Users see it.
    message: "This account was changed meanwhile. Go back, reload and try again.",
    fix: "Load the page again.",
    holds: ({ isUnchanged }: { isUnchanged: boolean }) => isUnchanged,
  },
});

/** What a user typed to change the password. */
interface TypedPasswords {
  current: string;
  next: string;
  /** The new password once more, because it cannot be seen. */
  repeated: string;
}

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

/**
 * Whether a user may change the password. One in the configuration changes only there, and an
 * `authenticate` policy may know nothing of passwords.
 */
export function canChangePassword(ctx: Context, user: User): boolean {
  return !hasOwnSignIn(ctx) && !ctx.settings.users.has(user.name) &&
    user.passwordHash !== undefined;
}

/** Returns why a new password is refused, or undefined (NIST SP 800-63B, section 3.1.1.2). */
export function newPasswordProblem(
  { name, claims: { email } }: Pick<User, "name" | "claims">,
  { current, next, repeated }: TypedPasswords,
): "tooShort" | "isName" | "unchanged" | "notRepeated" | undefined {
  if ([...next].length < minPasswordLength) return "tooShort";
  const isName = [name, email].some((known) => isSameText(next, known));
  if (isName) return "isName";
  if (next === current) return "unchanged";
  return next === repeated ? undefined : "notRepeated";
}

/** Finds the user who is signed in. Throws if this user cannot change the password here. */
async function findUserWithPassword(ctx: RequestContext): Promise<SignedInUser | undefined> {
  const signedIn = await findSufficientSession(ctx);
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

export function readPasswords(form: FormParameters): TypedPasswords {
  return {
    current: form.get("current_password") ?? "",
    next: form.get("new_password") ?? "",
    repeated: form.get("repeated_password") ?? "",
  };
}

/** Whether the user signed in recently enough to change the password. */
function isRecentSession(ctx: Context, { authTime }: Session): boolean {
  return numericDate(ctx) - authTime < maxSessionAge;
}

/**
 * Gives a user a new password, and this browser a new secret. Every other session ends, and what
 * was issued outside of this one is revoked: an attacker may have known the old password. Returns
 * undefined if the current password is wrong, which counts as a guess.
 */
async function changePassword(
  ctx: RequestContext,
  signedIn: SignedInUser,
  { current, next }: TypedPasswords,
): Promise<StartedSession | undefined> {
  const { session: { sid }, user: { name } } = signedIn;
  const form = toParameters([["username", name], ["password", current]]);
  const authentication = await authenticateByForm(ctx, form, {});
  if (!authentication) return undefined;

  const user = await storePassword(ctx, signedIn, next);
  ctx.emit({ type: "password.changed", user: name, sid });
  await endSessionsWhere(ctx, signedIn.user, (session) => session.sid !== sid);
  await revokeAuthorizationsOfUser(ctx, user, "its user has a new password");
  // The password proves less than the passkey of this session does.
  const { acr, amr, factor, authTime } = signedIn.session;
  const kept = factor ? { acr, amr, factor, authTime } : authentication;
  return await startSession(ctx, { ...kept, user });
}

function isSameText(text: string, other: unknown): boolean {
  return typeof other === "string" && text.toLowerCase() === other.toLowerCase();
}

async function storePassword(
  ctx: RequestContext,
  { session, user }: SignedInUser,
  password: string,
): Promise<User> {
  const passwordHash = await ctx.limits.passwordChecks(
    ctx.sender,
    () => ctx.settings.policies.passwords.hash(password),
  );
  const change = changeStored(ctx, placeOfUser(ctx, user.name), (before) => {
    ctx.apply(accountRules.unchanged, { isUnchanged: isUnchanged(before, user) });
    return {
      ...before,
      passwordHash,
      passwordChangedAt: ctx.now(),
      // Someone else may have it, too.
      passwordLink: undefined,
      epoch: randomId(ctx),
      keptSession: session.sid,
    };
  });
  return await change.catch((cause) => {
    // An administrator has removed the user meanwhile.
    if (cause instanceof AdminError) ctx.apply(accountRules.unchanged, { isUnchanged: false });
    throw cause;
  });
}

function isUnchanged(before: User, { instance, epoch }: User): boolean {
  return before.instance === instance && before.epoch === epoch && !before.disabled;
}

/** The form works only in the session that it was made for. */
function passwordPurpose({ session: { sid } }: SignedInUser): string {
  return `change password ${sid}`;
}
