import type { HeaderList } from "../../http/response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { errorFactory } from "../../protocol/oauth_error.ts";
import { equalInConstantTime, sha256 } from "../../util/hash.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";

const invalidRequest = errorFactory("invalid_request");

const cookie = "browser";

/** A browser, known by a secret that only it holds: what it begins here, no other browser can go on with. */
export interface Browser {
  secret: string;
  /** What is stored of the secret. */
  hash: string;
}

/** The browser that a request comes from, if it has been here before. */
export async function findBrowser(ctx: Context, request: Request): Promise<Browser | undefined> {
  const secret = ctx.cookies.read(request, cookie);
  return secret === undefined ? undefined : { secret, hash: await sha256(secret) };
}

/** The browser that a request comes from; a new one is given its cookie. */
export async function findOrCreateBrowser(
  ctx: Context,
  request: Request,
): Promise<{ browser: Browser; headers: HeaderList }> {
  const known = await findBrowser(ctx, request);
  if (known) return { browser: known, headers: [] };
  const secret = randomSecret(ctx);
  return {
    browser: { secret, hash: await sha256(secret) },
    headers: [ctx.cookies.write(cookie, secret)],
  };
}

/** What a form holds to show that this server made it, for this browser and one purpose. */
export async function formToken(browser: Browser, purpose: string): Promise<string> {
  return await sha256(`form\n${browser.secret}\n${purpose}`);
}

/** Refuses a form that another site made (RFC 9700, section 4.7). `Origin` proves nothing: it is `null` under `no-referrer`. */
export async function checkFormToken(
  browser: Browser | undefined,
  purpose: string,
  form: FormParameters,
): Promise<void> {
  if (
    browser && equalInConstantTime(form.get("form_token") ?? "", await formToken(browser, purpose))
  ) return;
  const message =
    "This form is out of date, or it was not made for this browser. Go back, reload the page and try again.";
  throw invalidRequest(message, { status: 403 });
}
