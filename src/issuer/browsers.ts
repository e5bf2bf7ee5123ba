import type { HeaderList } from "../http/answer.ts";
import { equalInConstantTime, sha256 } from "../protocol/digest.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import type { Parameters } from "../protocol/parameters.ts";
import type { Context } from "./context.ts";
import { randomSecret } from "./random.ts";

const cookie = "browser";

/** A browser, known by a secret that only it holds. Whatever it begins here, only it can go on with. */
export interface Browser {
  secret: string;
  /** What is written down of the secret. */
  hash: string;
  /** The cookie, where the browser does not have it yet. */
  headers: HeaderList;
}

/** Recognises a browser by its cookie, or gives it one. */
export async function recogniseBrowser(ctx: Context, request: Request): Promise<Browser> {
  const known = ctx.cookies.read(request, cookie);
  const secret = known ?? randomSecret();
  return { secret, hash: await sha256(secret), headers: known ? [] : [ctx.cookies.write(cookie, secret)] };
}

/** What a form holds to show that it came from this server to this browser, for one purpose. */
export async function formToken(browser: Browser, purpose: string): Promise<string> {
  return await sha256(`form\n${browser.secret}\n${purpose}`);
}

/** Refuses a form that another site made (RFC 9700, section 4.7). `Origin` proves nothing: it is `null` under `no-referrer`. */
export async function checkFormToken(browser: Browser, purpose: string, form: Parameters): Promise<void> {
  if (equalInConstantTime(form.get("form_token") ?? "", await formToken(browser, purpose))) return;
  throw new OAuthError("invalid_request", "This form is out of date, or it was not made for this browser. Go back and try again.", {
    status: 403,
  });
}
