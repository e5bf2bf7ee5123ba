import { defaultPolicies, type RequestedSignIn, type SignInResult } from "../../config/policies.ts";
import type { User } from "../../model/user.ts";
import { acrOfPassword, attainableAcrValues } from "../../protocol/acr.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { matchesHash } from "../../util/crypto/hash.ts";
import { featuresOf } from "../active_features.ts";
import type { Context, RequestContext } from "../context.ts";
import type { Guess } from "../limits/guess_limits.ts";
import { numericDate } from "../time.ts";
import { familiarSubject, findFamiliarBrowser } from "./familiar_browsers.ts";
import { type Authentication, isSufficientFor, type SignInFailure } from "./sign_in_factor.ts";
import { findUser, readUser } from "./users.ts";

/** What a request demands of the sign-in. */
type RequestDemands = Partial<Pick<AuthorizationRequest, "clientId" | "acr">>;

/** Authenticates the user who sends a sign-in form, by what the user must sign in with. */
export async function authenticateUser(
  ctx: RequestContext,
  form: FormParameters,
  request: RequestDemands,
): Promise<Authentication | SignInFailure> {
  const { passkeys } = featuresOf(ctx);
  const response = form.get("passkey");
  if (passkeys && response !== undefined) {
    return await passkeys.authenticate(ctx, response) ?? "passkey";
  }
  const authentication = await authenticateByForm(ctx, form, request);
  if (!authentication || isSufficientFor(ctx, authentication.user, authentication)) {
    return authentication ?? "password";
  }
  ctx.emit({ type: "sign_in.failed", user: authentication.user.name, reason: "needs a passkey" });
  return "needs-passkey";
}

/** Authenticates the user whose password, or what a policy asks for, is in a form. */
export async function authenticateByForm(
  ctx: RequestContext,
  form: FormParameters,
  { clientId, acr }: RequestDemands,
): Promise<Authentication | undefined> {
  const { policies, acrValues } = ctx.settings;
  const typed = form.get("username") ?? "";
  const [userName, unverified] = await featuresOf(ctx).signInName?.(ctx, typed) ?? [typed];
  const named = withUserName(form, userName);
  const directory = {
    find: async (name: string) => await findUser(ctx, name),
    checkPassword: (form: FormParameters) => checkPassword(ctx, form),
  };
  const demands: RequestedSignIn = {
    ...clientId !== undefined && { clientId },
    acrValues: attainableAcrValues(acr, acrValues),
  };
  const authentication = await ctx.limits.passwords.check(
    await guessOf(ctx, userName),
    async () => {
      const result = await policies.authenticate(named, directory, demands);
      return toAuthentication(result, acrOfPassword(acrValues), numericDate(ctx));
    },
  );
  if (!authentication) {
    const found = await readUser(ctx, userName);
    // The name of an unknown user may be a password in the wrong field.
    const user = unverified ?? found;
    const reason = unverified ? "e-mail address not verified" : problemOf(ctx, user);
    ctx.emit({ type: "sign_in.failed", ...user && { user: user.name }, ...reason && { reason } });
  }
  return authentication && { ...authentication, ...ctx.hooks.unasked?.factorOf?.(form) };
}

/** Returns why a user could not sign in, unless a policy of the configuration decided that. */
function problemOf({ settings }: Context, user: User | undefined): string | undefined {
  if (user?.disabled) return "disabled";
  if (settings.policies.authenticate !== defaultPolicies.authenticate) return undefined;
  if (!user) return "unknown user";
  return user.passwordHash ?? user.passwordDigest ? "wrong password" : "no password";
}

/** Whoever typed an address is known by name from here on: guesses at both share one budget. */
function withUserName(form: FormParameters, userName: string): FormParameters {
  return { ...form, get: (name) => name === "username" ? userName : form.get(name) };
}

/** The name becomes a keyed digest: it may be a password that was typed into the wrong field. */
async function guessOf(ctx: RequestContext, userName: string): Promise<Guess> {
  const name = await ctx.keys.derive("guess", userName);
  return { name, sender: ctx.sender, ownBudget };

  async function ownBudget(): Promise<string | undefined> {
    const [browser, user] = await Promise.all([findFamiliarBrowser(ctx), findUser(ctx, userName)]);
    return user && browser?.subjects.includes(familiarSubject(user)) ? browser.hash : undefined;
  }
}

/** A policy may return the user alone. */
function toAuthentication(
  result: User | SignInResult | undefined,
  weakestAcr: string | undefined,
  now: number,
): Authentication | undefined {
  if (!result) return undefined;
  const { user, acr = weakestAcr, amr, authTime = now }: SignInResult = "subject" in result
    ? { user: result }
    : result;
  return user && { user, acr, amr, authTime: pastTime(authTime, now) };
}

/** A session of the future would never be too old for a client. Other clocks may be ahead of ours. */
function pastTime(authTime: number, now: number): number {
  if (!Number.isFinite(authTime)) {
    throw new Error("policies.authenticate returned an 'authTime' that is not in seconds.");
  }
  return Math.min(Math.floor(authTime), now);
}

/**
 * Every sign-in costs one password hash, whether the user is unknown, or has a stored password or a
 * configured one: the time must not reveal who has an account.
 */
async function checkPassword(ctx: Context, form: FormParameters): Promise<User | undefined> {
  const { passwords } = ctx.settings.policies;
  const password = form.get("password") ?? "";
  const user = await findUser(ctx, form.get("username") ?? "");
  return await ctx.limits.passwordChecks(ctx.sender, async () => {
    if (user?.passwordHash) {
      const verifies = featuresOf(ctx).verifyPassword?.(ctx, user, password) ??
        passwords.verify(password, user.passwordHash);
      return await verifies ? user : undefined;
    }
    await passwords.hash(password);
    return await matchesHash(password, user?.passwordDigest) ? user : undefined;
  });
}
