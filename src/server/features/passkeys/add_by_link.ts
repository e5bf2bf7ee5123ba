import {
  describeUser,
  framePropsWith,
  pageResponse,
} from "../../endpoints/responses/page_response.ts";
import { readForm, readQuery } from "../../http/incoming_request.ts";
import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import {
  checkFormToken,
  findBrowser,
  findOrCreateBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { findUser } from "../../issuer/users/users.ts";
import { equalInConstantTime, sha256 } from "../../util/crypto/hash.ts";
import { endEverything, linkLifetime, linkPath, removals } from "./administer_passkeys.ts";
import { passkeyTexts } from "./config.ts";
import { creationOf, readNewPasskey } from "./new_passkey.ts";
import { type Changed, findOwner, type Owner, writePasskeys } from "./passkeys.ts";
import { type AddProps, PasskeysPage } from "./passkeys_page.tsx";
import { scriptProps } from "./sign_in_form.tsx";

const cookie = "passkey-link";

/** A longer query is none of ours. */
const maxQueryLength = 2_000;

/**
 * Shows the form of a link, which changes nothing. The secret leaves the address at once, so that no
 * history, log or referrer keeps it.
 */
export async function showLink(ctx: RequestContext): Promise<ResponseData> {
  const { base } = ctx.settings;
  const query = readQuery(ctx);
  const [user, link] = [query.get("user"), query.get("link")];
  if (user !== undefined && link !== undefined) {
    const value = new URLSearchParams({ user, link }).toString().slice(0, maxQueryLength);
    return redirectResponse(base + linkPath, [ctx.cookies.write(cookie, value, linkLifetime)]);
  }
  const owner = await findLinkedOwner(ctx);
  return await linkResponse(ctx, owner ?? "linkVoid", owner ? 200 : 403);
}

/** Adds the passkey, which uses the link. What the user had before ends with it. */
export async function addByLink(ctx: RequestContext): Promise<ResponseData> {
  const form = await readForm(ctx);
  const owner = await findLinkedOwner(ctx);
  if (!owner) return await linkResponse(ctx, "linkVoid", 403);
  const browser = await checkFormToken(ctx, await findBrowser(ctx), purposeOf(owner), form);
  const added = await readNewPasskey(ctx, browser, form);
  if (!added) return await linkResponse(ctx, owner, 422);
  const after = { passkeys: [added], link: undefined };
  // One write uses the link and ends the old passkeys.
  const changed: Changed[] = [["added", added], ...removals(owner.passkeys)];
  if (!await writePasskeys(ctx, owner, after, changed)) {
    return await linkResponse(ctx, "linkVoid", 403);
  }
  await endEverything(ctx, owner.user);
  return await linkResponse(ctx, "linkDone", 200);
}

/** Finds the user of a link that was neither used nor replaced, and has not ended. */
async function findLinkedOwner(ctx: RequestContext): Promise<Owner | undefined> {
  const query = new URLSearchParams(ctx.cookies.read(ctx.request.headers, cookie));
  const user = await findUser(ctx, query.get("user") ?? "");
  const owner = user && await findOwner(ctx, user);
  const { link } = owner ?? {};
  if (!link || link.until <= ctx.now() || link.epoch !== user?.epoch) return undefined;
  const isRight = equalInConstantTime(link.hash, await sha256(query.get("link") ?? ""));
  return isRight ? owner : undefined;
}

/** A void link expired, was used, or was never made: the page does not say which. */
async function linkResponse(
  ctx: RequestContext,
  state: Owner | "linkVoid" | "linkDone",
  status: number,
): Promise<ResponseData> {
  const frame = await framePropsWith(ctx, passkeyTexts);
  const { passkeys: words, common } = frame.language.words;
  if (typeof state === "string") {
    const next = state === "linkDone" ? { href: accountOf(ctx), text: common.signIn } : undefined;
    const page = PasskeysPage({ ...frame, lead: words[state], next });
    const cookies = state === "linkDone" ? [ctx.cookies.clear(cookie)] : [];
    return await pageResponse(page, status, cookies);
  }
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const add: AddProps = {
    ...scriptProps(ctx),
    action: ctx.settings.base + linkPath,
    formToken: await formToken(browser, purposeOf(state)),
    creation: creationOf(ctx, frame.brand.name, state, []),
  };
  const problem = status === 200 ? undefined : "failed";
  const user = describeUser(state.user);
  const page = PasskeysPage({ ...frame, lead: words.linkEffect, user, add, problem });
  return await pageResponse(page, status, headers);
}

function accountOf({ settings: { base } }: RequestContext): string {
  return `${base}/account`;
}

/** The form works for this link only. */
function purposeOf({ link }: Owner): string {
  return `new passkey ${link?.hash}`;
}
