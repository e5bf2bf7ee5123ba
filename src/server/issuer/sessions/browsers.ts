import type { HeaderList } from "../../http/response_data.ts";
import { type FormParameters, formRules } from "../../protocol/form_parameters.ts";
import { requireValue } from "../../protocol/rule.ts";
import { equalInConstantTime, sha256 } from "../../util/crypto/hash.ts";
import type { Context, RequestContext } from "../context.ts";
import { randomSecret } from "../random.ts";

const cookie = "browser";

/** The purpose of the sign-out forms on our own pages. */
export const signOutPurpose = "sign-out";

/** A browser, identified by a secret in its cookie: no other browser can continue what it began. */
export interface Browser {
  secret: string;
  /** SHA-256 of the secret, as it is stored. */
  hash: string;
}

/** Finds the browser that a request comes from, if it has been here before. */
export async function findBrowser(ctx: RequestContext): Promise<Browser | undefined> {
  const secret = ctx.cookies.read(ctx.request.headers, cookie);
  return secret === undefined ? undefined : { secret, hash: await sha256(secret) };
}

/** Finds the browser that a request comes from, or gives a new one its cookie. */
export async function findOrCreateBrowser(ctx: RequestContext): Promise<{
  browser: Browser;
  headers: HeaderList;
}> {
  const browser = await findBrowser(ctx);
  if (browser) return { browser, headers: [] };
  const secret = randomSecret(ctx);
  return {
    browser: { secret, hash: await sha256(secret) },
    headers: [ctx.cookies.write(cookie, secret)],
  };
}

/**
 * Returns the token of a form, which proves that this server made it for this browser and purpose.
 */
export async function formToken(browser: Browser, purpose: string): Promise<string> {
  return await sha256(`form\n${browser.secret}\n${purpose}`);
}

/**
 * Rejects a form that another site made (RFC 9700, section 4.7). Returns the browser that the form
 * was made for. The header `Origin` proves nothing: it is `null` under `no-referrer`.
 */
export async function checkFormToken(
  ctx: Context,
  browser: Browser | undefined,
  purpose: string,
  form: FormParameters,
): Promise<Browser> {
  const sentToken = form.get("form_token") ?? "";
  const isRight = browser !== undefined &&
    equalInConstantTime(sentToken, await formToken(browser, purpose));
  return requireValue(ctx.apply, formRules.token, { isRight }, browser);
}
