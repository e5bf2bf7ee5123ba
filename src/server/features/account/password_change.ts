import { minPasswordLength } from "../../config/passwords.ts";
import { defaultPolicies } from "../../config/policies.ts";
import { revokeAuthorizationsOfUser } from "../../issuer/authorizations/authorizations.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { changeStored, placeOfUser } from "../../issuer/directory/directory_entries.ts";
import { randomId } from "../../issuer/random.ts";
import { AdminError } from "../../issuer/records/change_errors.ts";
import type { Session } from "../../issuer/records/rows.ts";
import { endSessionsWhere } from "../../issuer/sessions/session_lists.ts";
import { type StartedSession, startSession } from "../../issuer/sessions/sessions.ts";
import type { SignedInUser } from "../../issuer/sessions/signed_in_user.ts";
import { numericDate } from "../../issuer/time.ts";
import { authenticateUser } from "../../issuer/users/authenticate_user.ts";
import type { User } from "../../model/user.ts";
import { toParameters } from "../../protocol/form_parameters.ts";
import { ruleSet } from "../../protocol/rule.ts";
import { minute } from "../../util/time/duration.ts";

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
    must: "The account must not have changed while the form was open",
    // Users see it.
    message: "This account was changed meanwhile. Go back, reload and try again.",
    fix: "Load the page again.",
    holds: ({ isUnchanged }: { isUnchanged: boolean }) => isUnchanged,
  },
});

/** Why a new password is refused. */
export type NewPasswordProblem = "tooShort" | "isName" | "unchanged" | "notRepeated";

/** What a user typed to change the password. */
export interface TypedPasswords {
  current: string;
  next: string;
  /** The new password once more, because it cannot be seen. */
  repeated: string;
}

/**
 * Whether a user may change the password. One in the configuration changes only there, and an
 * `authenticate` policy may know nothing of passwords.
 */
export function canChangePassword({ settings }: Context, user: User): boolean {
  const hasOwnSignIn = settings.policies.authenticate !== defaultPolicies.authenticate;
  return !hasOwnSignIn && !settings.users.has(user.name) && user.passwordHash !== undefined;
}

/** Whether the user signed in recently enough to change the password. */
export function isRecentSession(ctx: Context, { authTime }: Session): boolean {
  return numericDate(ctx) - authTime < maxSessionAge;
}

/** Returns why a new password is refused, or undefined (NIST SP 800-63B, section 3.1.1.2). */
export function newPasswordProblem(
  { name, claims: { email } }: Pick<User, "name" | "claims">,
  { current, next, repeated }: TypedPasswords,
): NewPasswordProblem | undefined {
  if ([...next].length < minPasswordLength) return "tooShort";
  const isName = [name, email].some((known) => isSameText(next, known));
  if (isName) return "isName";
  if (next === current) return "unchanged";
  return next === repeated ? undefined : "notRepeated";
}

/**
 * Gives a user a new password, and this browser a new secret. Every other session ends, and what
 * was issued outside of this one is revoked: an attacker may have known the old password. Returns
 * undefined if the current password is wrong, which counts as a guess.
 */
export async function changePassword(
  ctx: RequestContext,
  signedIn: SignedInUser,
  { current, next }: TypedPasswords,
): Promise<StartedSession | undefined> {
  const { session: { sid }, user: { name } } = signedIn;
  const form = toParameters([["username", name], ["password", current]]);
  const authentication = await authenticateUser(ctx, form, {});
  if (!authentication) return undefined;

  const user = await storePassword(ctx, signedIn, next);
  ctx.emit({ type: "password.changed", user: name, sid });
  await endSessionsWhere(ctx, signedIn.user, (session) => session.sid !== sid);
  await revokeAuthorizationsOfUser(ctx, user, "its user has a new password");
  return await startSession(ctx, { ...authentication, user });
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
