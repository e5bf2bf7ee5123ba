import { htmlResponse, redirectResponse } from "../../http/response.ts";
import { listUsers } from "../../issuer/admin/directory_entries.ts";
import type { Context } from "../../issuer/context.ts";
import { findUser } from "../../issuer/users/users.ts";
import type { InternalServer } from "../../server.ts";
import { unknownName } from "../lab_error.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { createHeadlessBrowser } from "./headless_browser.ts";

/** Returns the user whom a request names by `login_hint`; an unknown user is an error. */
export async function findHintedUser(
  ctx: Context,
  { endpoint, method, query }: WireRequest,
): Promise<string | undefined> {
  const hint = query.get("login_hint");
  if (endpoint !== "authorize" || method !== "GET" || !hint) return undefined;
  if (await findUser(ctx, hint)) return hint;
  throw unknownName("user", hint, (await listUsers(ctx)).map(({ value }) => value.name));
}

/**
 * Walks through the pages in place of the user, and sends the browser to the callback with its
 * cookies.
 */
export async function signInHintedUser(
  { fetch, context: { settings } }: InternalServer,
  { url, headers }: WireRequest,
  user: string,
): Promise<Response> {
  const cookies = new Map(parseCookies(headers.cookie ?? ""));
  const before = new Map(cookies);
  const { addresses, paths } = settings;
  const browser = createHeadlessBrowser({ fetch, addresses, paths }, cookies);
  const { callback, page } = await browser.authorize(url, { user });
  const secure = settings.frontChannelUrl.startsWith("https:") ? "; Secure" : "";
  const setCookies = [...cookies].filter(([name, value]) => before.get(name) !== value)
    .map(([name, value]): [string, string] => [
      "Set-Cookie",
      `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    ]);
  return page === undefined
    ? redirectResponse(callback, setCookies)
    : htmlResponse(page, 200, setCookies, { keepsOpener: true });
}

function parseCookies(header: string): Array<[string, string]> {
  return [...header.matchAll(/(?:^|; )([^=;]*)=([^;]*)/g)]
    .map(([, name = "", value = ""]) => [name, value]);
}
