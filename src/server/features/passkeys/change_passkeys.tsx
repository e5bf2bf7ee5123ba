/** @jsxImportSource preact */
import {
  describeUser,
  framePropsWith,
  pageResponse,
} from "../../endpoints/responses/page_response.ts";
import { readForm } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { SignedInUser } from "../../issuer/active_features.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { changeStored, placeOfUser } from "../../issuer/directory/directory_entries.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { endSessionsWhere } from "../../issuer/sessions/session_lists.ts";
import { findSufficientSession } from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";
import { needsPasskey } from "../../issuer/users/sign_in_factor.ts";
import type { User } from "../../model/user.ts";
import type { Content } from "../../pages/frame.tsx";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { minute } from "../../util/time/duration.ts";
import { accountPath, signInPage } from "../account/account_sign_in.ts";
import { passkeyTexts, rpIdOf } from "./config.ts";
import type { PasskeyProblem } from "./languages/en.ts";
import { creationOf, readNewPasskey } from "./new_passkey.ts";
import {
  type Changed,
  findOwner,
  maxPasskeys,
  type Owner,
  type Passkey,
  writePasskeys,
} from "./passkeys.ts";
import { ChangeableList, type ListProps, PasskeySection, PasskeysPage } from "./passkeys_page.tsx";
import { scriptProps } from "./sign_in_form.tsx";

/** In seconds: a browser that was left open must not be enough to take an account over. */
const maxSessionAge = 10 * minute;

const maxNameLength = 60;

/** Shows the passkeys of a user, after a recent sign-in: by one of them, if there is one. */
export async function showPasskeys(ctx: RequestContext): Promise<ResponseData> {
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const signedIn = await findSufficientSession(ctx);
  const owner = signedIn && await findOwner(ctx, signedIn.user);
  if (signedIn && !owner) return redirectResponse(accountPath(ctx), headers);
  if (signedIn && owner && mayChange(ctx, signedIn, owner)) {
    return await pageResponse(await passkeysPage(ctx, browser, signedIn, owner), 200, headers);
  }
  const page = await signInPage(ctx, browser, {
    next: "passkeys",
    username: signedIn?.user.name ?? "",
    // The password was right, and is not enough for this page.
    ...signedIn && isRecent(ctx, signedIn) && { attempt: { failure: "needs-passkey" } },
  });
  return await pageResponse(page, 200, headers);
}

/** Adds, renames or removes a passkey, or changes whether the password signs in, too. */
export async function changePasskeys(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const found = await findSufficientSession(ctx);
  const owner = found && await findOwner(ctx, found.user);
  // An administrator who takes passkeys away ends the session first: it is looked at after the row.
  const signedIn = owner && await findSufficientSession(ctx);
  if (!signedIn || !mayChange(ctx, signedIn, owner)) {
    return redirectResponse(accountPath(ctx, "passkeys"));
  }
  const browser = await checkFormToken(ctx, await findBrowser(ctx), purposeOf(signedIn), form);
  const problem = await change(ctx, browser, signedIn, owner, form);
  if (problem) {
    const page = await passkeysPage(ctx, browser, signedIn, owner, problem);
    return await pageResponse(page, 422);
  }
  const { session: { sid, factor } } = signedIn;
  await endSessionsWhere(ctx, signedIn.user, (session) => session.sid !== sid);
  // Who has added the first one may change more only after a sign-in with it.
  return redirectResponse(accountPath(ctx, factor === "passkey" ? "passkeys" : undefined));
}

/** Returns what the account page shows. */
export async function accountSection(ctx: RequestContext, user: User): Promise<Content> {
  const owner = await findOwner(ctx, user);
  const { language } = await framePropsWith(ctx, passkeyTexts);
  const list = owner && listProps(ctx, language, owner);
  return <PasskeySection language={language} href={accountPath(ctx, "passkeys")} list={list} />;
}

/** A thief of the password must neither add a passkey of his own nor remove the owner's. */
function mayChange(ctx: RequestContext, signedIn: SignedInUser, { passkeys }: Owner): boolean {
  const hasFactor = signedIn.session.factor === "passkey" || passkeys.length === 0;
  return hasFactor && isRecent(ctx, signedIn);
}

function isRecent(ctx: RequestContext, { session: { authTime } }: SignedInUser): boolean {
  return numericDate(ctx) - authTime < maxSessionAge;
}

/** Returns why nothing was changed, if so. */
async function change(
  ctx: RequestContext,
  browser: Browser,
  signedIn: SignedInUser,
  owner: Owner,
  form: FormParameters,
): Promise<PasskeyProblem | undefined> {
  const { user, session: { sid } } = signedIn;
  const { passkeys } = owner;
  const chosen = passkeys.find(({ key }) => key === form.get("passkey_key"));
  const write = async (after: Passkey[], ...changed: Changed) =>
    await writePasskeys(ctx, owner, { passkeys: after }, [changed], sid) ? undefined : "failed";
  const what = form.get("change");
  if (what === "add") {
    if (passkeys.length >= maxPasskeys) return "tooMany";
    const added = await readNewPasskey(ctx, browser, form);
    return added ? await write([...passkeys, added], "added", added) : "failed";
  }
  if (what === "rename" && chosen) {
    const name = (form.get("passkey_name") ?? "").trim();
    if (name === "" || name.length > maxNameLength) return "failed";
    const renamed = { ...chosen, name };
    return await write(
      passkeys.map((each) => each === chosen ? renamed : each),
      "renamed",
      renamed,
    );
  }
  if (what === "remove" && chosen) {
    const others = passkeys.filter((each) => each !== chosen);
    const canStillSignIn = others.some(({ rpId }) => rpId === rpIdOf(ctx.settings));
    if (!canStillSignIn && needsPasskey(ctx.settings, user)) return "last";
    return await write(others, "removed", chosen);
  }
  if (what !== "only" && what !== "also") return "failed";
  return await switchPassword(ctx, signedIn, owner, what);
}

/** Only who has signed in by passkey can give the password up, or have it again. */
async function switchPassword(
  ctx: RequestContext,
  { user, session: { sid, factor } }: SignedInUser,
  owner: Owner,
  change: "only" | "also",
): Promise<PasskeyProblem | undefined> {
  const { passkeys } = owner;
  if (factor !== "passkey" || passkeys.length === 0) return "failed";
  // First the row: no other request may remove the last passkey meanwhile.
  if (!await writePasskeys(ctx, owner, { passkeys }, [[change]], sid)) return "failed";
  await changeStored(ctx, placeOfUser(ctx, user.name), (before) => {
    if (before.instance !== user.instance) return before;
    return { ...before, passkeyOnly: change === "only" };
  });
}

async function passkeysPage(
  ctx: RequestContext,
  browser: Browser,
  signedIn: SignedInUser,
  owner: Owner,
  problem?: PasskeyProblem,
) {
  const frame = await framePropsWith(ctx, passkeyTexts);
  const { passkeys: words, common } = frame.language.words;
  const { user, session } = signedIn;
  const form = {
    action: accountPath(ctx, "passkeys"),
    formToken: await formToken(browser, purposeOf(signedIn)),
  };
  const creation = creationOf(ctx, frame.brand.name, owner, owner.passkeys);
  return (
    <PasskeysPage
      {...frame}
      lead={words.lead}
      user={describeUser(user)}
      problem={problem}
      add={{ ...form, ...scriptProps(ctx), creation }}
      next={{ href: accountPath(ctx), text: common.yourAccount }}
    >
      <p class="fine">{words.effect}</p>
      <ChangeableList
        {...listProps(ctx, frame.language, owner)}
        {...form}
        handle={owner.handle}
        only={session.factor === "passkey" ? user.passkeyOnly ?? false : undefined}
      />
    </PasskeysPage>
  );
}

function listProps(
  ctx: RequestContext,
  language: ListProps["language"],
  { passkeys, changes }: Owner,
): ListProps {
  return { language, passkeys, changes, now: ctx.now(), rpId: rpIdOf(ctx.settings) ?? "" };
}

/** The forms work only in the session that they were made for. */
function purposeOf({ session: { sid } }: SignedInUser): string {
  return `change passkeys ${sid}`;
}
