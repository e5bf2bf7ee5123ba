import { type CookieJar, createCookieJar } from "../../../server/http/cookies.ts";
import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import type { HeaderList } from "../../../server/http/response_data.ts";
import type { Context, RequestContext } from "../../../server/issuer/context.ts";
import { type Browser, formToken } from "../../../server/issuer/sessions/browsers.ts";
import { OAuthError } from "../../../server/protocol/oauth_error.ts";
import { equalInConstantTime, sha256 } from "../../../server/util/crypto/hash.ts";
import { hostProblem, originProblem } from "../../control/guard.ts";
import type { LabToken } from "../../control/lab_access.ts";

const browserCookie = "lab-browser";
const accessCookie = "lab-access";
const formPurpose = "lab";

/** A browser that looks at a lab, and the headers that set its cookie if it is new. */
export interface LabBrowser extends Browser {
  headers: HeaderList;
  /**
   * Whether the browser may have a cookie that it did not send, because a link of another site led
   * here. A new cookie would end the forms of its other tabs, so the page loads itself again.
   */
  isUncertain: boolean;
}

/**
 * Returns why a request may not reach the pages of a lab, or undefined. Any web page can make a
 * browser send requests to localhost, and can point its host name at localhost (DNS
 * rebinding). The form token comes on top.
 */
export function pageAccessProblem(
  request: IncomingRequest,
  addresses: readonly string[],
): string | undefined {
  const problem = hostProblem(request, addresses);
  if (problem || request.method === "GET" || request.method === "HEAD") return problem;
  return originProblem(request, [request.url, ...addresses]);
}

/**
 * Finds the browser that a request comes from, or gives a new one its cookie. Its secret is not
 * from the generator of the lab, whose seed may be known.
 */
export async function labBrowserOf(ctx: RequestContext): Promise<LabBrowser> {
  const cookies = labCookies(ctx);
  const known = cookies.read(ctx.request.headers, browserCookie);
  const secret = known ?? crypto.randomUUID();
  const isUncertain = known === undefined &&
    ctx.request.headers.get("Sec-Fetch-Site") === "cross-site";
  const isNew = known === undefined && !isUncertain;
  const headers = isNew ? [cookies.write(browserCookie, secret)] : [];
  return { secret, hash: await sha256(secret), headers, isUncertain };
}

export async function labFormToken(browser: Browser): Promise<string> {
  return await formToken(browser, formPurpose);
}

/** Rejects a form that was made for another browser. */
export async function checkLabForm(browser: Browser, form: URLSearchParams): Promise<void> {
  const expected = await labFormToken(browser);
  if (equalInConstantTime(form.get("form_token") ?? "", expected)) return;
  throw new OAuthError(
    "access_denied",
    "This form is outdated or was made for another browser. Go back, reload and try again.",
    { status: 403 },
  );
}

/** Whether a browser has entered the lab's token. */
export async function hasEntered(
  ctx: RequestContext,
  browser: Browser,
  token: LabToken,
): Promise<boolean> {
  const sent = labCookies(ctx).read(ctx.request.headers, accessCookie);
  return sent !== undefined && equalInConstantTime(sent, await token.derive(browser.secret));
}

/**
 * Returns the cookie of a browser that has entered the token. It is worth nothing in another one.
 */
export async function accessCookieFor(
  ctx: Context,
  browser: Browser,
  token: LabToken,
): Promise<HeaderList> {
  return [labCookies(ctx).write(accessCookie, await token.derive(browser.secret))];
}

/** Returns the cookies of the lab's pages. No request that another site causes has them. */
export function labCookies({ settings: { issuer, frontChannelUrl } }: Context): CookieJar {
  return createCookieJar({ issuer, frontChannelUrl, sameSite: "Strict" });
}
