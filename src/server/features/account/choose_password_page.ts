import { minPasswordLength } from "../../config/passwords.ts";
import { framePropsWith, pageResponse } from "../../endpoints/responses/page_response.ts";
import { readForm, readQuery } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { revokeAuthorizationsOfUser } from "../../issuer/authorizations/authorizations.ts";
import { type RequestContext, serverPart } from "../../issuer/context.ts";
import { changeStored, placeOfUser } from "../../issuer/directory/directory_entries.ts";
import { limitClientGuesses } from "../../issuer/limits/guess_limits.ts";
import { randomId } from "../../issuer/random.ts";
import { AdminError } from "../../issuer/records/lock.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { endSessionsOf } from "../../issuer/sessions/sessions.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { PasswordLink, User } from "../../model/user.ts";
import type { Page } from "../../pages/pages.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { hour } from "../../util/time/duration.ts";
import type { ChoosePasswordProps } from "./choose_password.tsx";
import { accountPages, accountTexts } from "./config.ts";
import type { PasswordProblem } from "./languages/en.ts";
import { hasOwnSignIn, opensAccount } from "./password_links.ts";
import { newPasswordProblem, readPasswords } from "./password_page.ts";

type Kind = PasswordLink["kind"];

const cookie = "password-link";

/** In seconds: how long a user may take for the form. */
const cookieLifetime = 1 * hour;

/** A longer query is none of ours. */
const maxQueryLength = 2_000;

/** Wrong links, which are no guesses, do not keep a user from the right one. */
const linkGuesses = serverPart(({ settings: { now, guessesPerMinute: perMinute } }) =>
  limitClientGuesses({ now, perMinute })
);

/** A user, and the hash of the secret of their link. */
interface LinkedUser {
  user: User;
  secretHash: string;
}

/**
 * Shows the form of a link. It changes nothing: programs that look at messages open the links in
 * them. The secret leaves the address at once, so that no history, log or referrer keeps it.
 */
export async function showPasswordChoice(ctx: RequestContext, kind: Kind): Promise<ResponseData> {
  const query = readQuery(ctx);
  const [user, link] = [query.get("user"), query.get("link")];
  if (user !== undefined && link !== undefined) {
    const value = new URLSearchParams({ user, link }).toString().slice(0, maxQueryLength);
    return redirectResponse(pathOf(ctx, kind), [ctx.cookies.write(cookie, value, cookieLifetime)]);
  }
  const linked = await findLinkedUser(ctx);
  if (!linked) return await voidResponse(ctx, kind);
  const { browser, headers } = await findOrCreateBrowser(ctx);
  return await pageResponse(formPage(ctx, kind, linked, browser), 200, headers);
}

/** Gives the user of a link the password that they typed. Only this uses the link. */
export async function choosePassword(ctx: RequestContext, kind: Kind): Promise<ResponseData> {
  const form = await readForm(ctx);
  const linked = await findLinkedUser(ctx);
  if (!linked) return await voidResponse(ctx, kind);
  const purpose = purposeOf(linked);
  const browser = await checkFormToken(ctx, await findBrowser(ctx), purpose, form);
  const typed = readPasswords(form);
  const problem = newPasswordProblem(linked.user, typed);
  if (problem) return await pageResponse(formPage(ctx, kind, linked, browser, problem), 422);
  if (!await changePassword(ctx, kind, linked, typed.next)) return await voidResponse(ctx, kind);
  const page = choicePage(ctx, kind, { state: "done", username: linked.user.name });
  return await pageResponse(page, 200, [ctx.cookies.clear(cookie)]);
}

/** Finds the user of the link that a browser has opened. A wrong link counts as a guess. */
async function findLinkedUser(ctx: RequestContext): Promise<LinkedUser | undefined> {
  const query = new URLSearchParams(ctx.cookies.read(ctx.request.headers, cookie));
  const [userName, link] = [query.get("user"), query.get("link")];
  if (!userName || !link || hasOwnSignIn(ctx)) return undefined;
  const secretHash = await sha256(link);
  const name = await ctx.keys.derive("password-link", userName);
  return await linkGuesses(ctx).check({ name, sender: ctx.sender }, async () => {
    const user = await findUser(ctx, userName);
    return user && opensAccount(ctx, user, secretHash) ? { user, secretHash } : undefined;
  });
}

async function formPage(
  ctx: RequestContext,
  kind: Kind,
  linked: LinkedUser,
  browser: Browser,
  problem?: PasswordProblem,
): Promise<Page> {
  const token = await formToken(browser, purposeOf(linked));
  const username = linked.user.name;
  return await choicePage(ctx, kind, { state: "form", formToken: token, username, problem });
}

/** Responds to a link that expired, was used, or was never made: the page does not say which. */
async function voidResponse(ctx: RequestContext, kind: Kind): Promise<ResponseData> {
  return await pageResponse(choicePage(ctx, kind, { state: "void" }), 403);
}

async function choicePage(
  ctx: RequestContext,
  kind: Kind,
  props: Pick<ChoosePasswordProps, "state"> & Partial<ChoosePasswordProps>,
): Promise<Page> {
  return await accountPages.of(ctx.settings.pages).choosePassword({
    ...await framePropsWith(ctx, accountTexts),
    ...{ action: pathOf(ctx, kind), formToken: "", kind, username: "" },
    minLength: minPasswordLength,
    ...props,
  });
}

/**
 * Stores the password, and ends what was issued under the old one, in this browser, too: an
 * attacker may have known it. Returns false if the link was used, replaced or revoked meanwhile.
 */
async function changePassword(
  ctx: RequestContext,
  kind: Kind,
  { user: { name }, secretHash }: LinkedUser,
  password: string,
): Promise<boolean> {
  const passwordHash = await ctx.limits.passwordChecks(
    ctx.sender,
    () => ctx.settings.policies.passwords.hash(password),
  );
  const now = ctx.now();
  const forgotten = { passwordLink: undefined, keptSession: undefined, familiarSince: now };
  const changed = { ...forgotten, passwordHash, passwordChangedAt: now, epoch: randomId(ctx) };
  const change = changeStored(
    ctx,
    placeOfUser(ctx, name),
    (before) => opensAccount(ctx, before, secretHash) ? { ...before, ...changed } : before,
  );
  const user = await change.catch((cause) => {
    // An administrator has removed the user meanwhile.
    if (!(cause instanceof AdminError)) throw cause;
  });
  if (user?.epoch !== changed.epoch) return false;
  ctx.emit({ type: "password.chosen", user: name, link: kind });
  await endSessionsOf(ctx, user);
  await revokeAuthorizationsOfUser(ctx, user, "its user has a new password");
  return true;
}

function pathOf({ settings: { base } }: RequestContext, kind: Kind): string {
  return `${base}/${kind}`;
}

/** The form works for this link only. */
function purposeOf({ secretHash }: LinkedUser): string {
  return `choose password ${secretHash}`;
}
