import type { SignInResult } from "../../config/policies.ts";
import type { User } from "../../model/user.ts";
import { attainableAcrValues } from "../../protocol/acr.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { matchesHash } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import type { Guess } from "../limits/guess_limits.ts";
import { findFamiliarBrowser } from "./familiar_browsers.ts";
import { findUser } from "./users.ts";

/** A sign-in that convinced. */
export interface Authentication extends SignInResult {
  user: User;
}

/** Learns who is signing in, from what the form brings. */
export async function authenticateUser(
  ctx: Context,
  request: Request,
  form: FormParameters,
  asked: Partial<Pick<AuthorizationRequest, "clientId" | "acr">>,
): Promise<Authentication | undefined> {
  const { policies, acrValues } = ctx.settings;
  const name = form.get("username") ?? "";
  const known = {
    find: (name: string) => findUser(ctx, name),
    checkPassword: (form: FormParameters) => checkPassword(ctx, ctx.addressOf(request), form),
  };
  const wanted = { clientId: asked.clientId, acrValues: attainableAcrValues(asked.acr, acrValues) };
  const authenticated = await ctx.guessLimits.passwords.check(
    await guessOf(ctx, request, name),
    async () => toAuthentication(await policies.authenticate(form, known, wanted), acrValues[0]),
  );
  // A name that nobody bears may be a password in the wrong field.
  if (!authenticated) ctx.emit({ type: "sign_in.failed", user: (await findUser(ctx, name))?.name });
  return authenticated;
}

/** The name is kept as a keyed digest: it may be a password that was typed into the wrong field. */
async function guessOf(ctx: Context, request: Request, name: string): Promise<Guess> {
  return { name: await ctx.derive("guess", name), sender: ctx.addressOf(request), ownBudget };

  async function ownBudget() {
    const [browser, user] = await Promise.all([
      findFamiliarBrowser(ctx, request),
      findUser(ctx, name),
    ]);
    return user && browser?.subjects.includes(user.subject) ? browser.hash : undefined;
  }
}

/** A policy may say no more than who it was. */
function toAuthentication(
  result: User | SignInResult | undefined,
  weakest: string | undefined,
): Authentication | undefined {
  const { user, acr = weakest, amr }: SignInResult = result && "subject" in result
    ? { user: result }
    : result ?? {};
  return user && { user, acr, amr };
}

/**
 * Every sign-in costs one password hash, whether the name is unknown, or its password is stored or
 * stands in the configuration: the time must not tell who has an account.
 */
async function checkPassword(
  ctx: Context,
  sender: string | undefined,
  form: FormParameters,
): Promise<User | undefined> {
  const { passwords } = ctx.settings.policies;
  const password = form.get("password") ?? "";
  const user = await findUser(ctx, form.get("username") ?? "");
  return await ctx.passwordLimit(sender, async () => {
    if (user?.passwordHash) {
      return await passwords.verify(password, user.passwordHash) ? user : undefined;
    }
    await passwords.hash(password);
    return await matchesHash(password, user?.passwordDigest) ? user : undefined;
  });
}
