import { createCookieJar } from "../../../server/http/cookies.ts";
import type { HeaderList } from "../../../server/http/response_data.ts";
import type { RequestContext } from "../../../server/issuer/context.ts";
import { day } from "../../../server/util/time/duration.ts";

const cookie = "lab-choice";
const lifetime = 30 * day;
/** A browser keeps 4,096 bytes with the name and the attributes. */
const maxLength = 3000;

/** What a query string in a cookie consists of. */
const encoded = /^[\w.*%+&=-]+$/;

/**
 * Returns the header that remembers the choices of a form, which work without scripts. A link
 * without the form's mark, and one of another site, changes nothing.
 */
export function rememberChoice(ctx: RequestContext, query: URLSearchParams): HeaderList {
  const text = query.toString();
  const isForeign = ctx.request.headers.get("Sec-Fetch-Site") === "cross-site";
  const isKept = query.has("chosen") && !isForeign && text.length <= maxLength &&
    encoded.test(text);
  return isKept ? [cookiesOf(ctx).write(cookie, text, lifetime)] : [];
}

/** Finds the choices with which the browser started its last flow. */
export function findRememberedChoice(ctx: RequestContext): URLSearchParams | undefined {
  const text = cookiesOf(ctx).read(ctx.request, cookie);
  return text === undefined ? undefined : new URLSearchParams(text);
}

function cookiesOf({ settings: { issuer, frontChannelUrl } }: RequestContext) {
  return createCookieJar({ issuer, frontChannelUrl, sameSite: "Strict" });
}
