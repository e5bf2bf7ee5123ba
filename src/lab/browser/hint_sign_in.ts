import { html, redirect } from "../../http/response.ts";
import { listUsers } from "../../issuer/admin/directory_entries.ts";
import type { Context } from "../../issuer/context.ts";
import { findUser } from "../../issuer/users/users.ts";
import { unknownName } from "../lab_error.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { createHeadlessBrowser } from "./headless_browser.ts";

type LabFetch = (request: Request) => Promise<Response>;

/** The user whom a request names by `login_hint`. An unknown one is an error, and loud. */
export async function hintedUser(
  ctx: Context,
  { path, method, query }: WireRequest,
): Promise<string | undefined> {
  const hint = query.get("login_hint");
  if (path !== "/oauth2/authorize" || method !== "GET" || !hint) return undefined;
  if (await findUser(ctx, hint)) return hint;
  throw unknownName("user", hint, (await listUsers(ctx)).map(({ value }) => value.name));
}

/** Walks the pages in the place of the person, and sends the browser on to the callback with the cookies it would have got. */
export async function signInByHint(
  fetch: LabFetch,
  { settings }: Context,
  { url, headers }: WireRequest,
  user: string,
): Promise<Response> {
  const cookies = new Map(parseCookies(headers.cookie ?? ""));
  const before = new Map(cookies);
  const { callback, page } = await createHeadlessBrowser(fetch, settings.addresses, cookies)
    .authorize(url, { user });
  const fresh = [...cookies].filter(([name, value]) => before.get(name) !== value);
  const flags = `Path=/; HttpOnly; SameSite=Lax${
    settings.frontChannelUrl.startsWith("https:") ? "; Secure" : ""
  }`;
  const given = fresh.map((
    [name, value],
  ): [string, string] => ["Set-Cookie", `${name}=${value}; ${flags}`]);
  return page === undefined ? redirect(callback, given) : html(page, 200, given);
}

function parseCookies(header: string): Array<[string, string]> {
  return header.split("; ").filter((pair) => pair.includes("=")).map((pair) => [
    pair.slice(0, pair.indexOf("=")),
    pair.slice(pair.indexOf("=") + 1),
  ]);
}
