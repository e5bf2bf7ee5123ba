import { assertEquals } from "@std/assert";
import { add as addUser } from "../../../src/server/issuer/admin/users.ts";
import type { Browser } from "../../support/browser.ts";
import { type Fields, read, type ReadResponse } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import type { Tokens } from "../../support/wire.ts";
import { api, redirectUri, type StoredKit } from "./stored_server.ts";

/** A sign-in: who, and with which client. */
export interface SignIn {
  user: string;
  client?: string;
  scope?: string;
  resource?: string;
}

/** What a browser keeps. */
export type Cookies = Array<[name: string, value: string]>;

export function passwordOf(user: string): string {
  return `the password of ${user}`;
}

/** Adds a user to the store, with the password of `passwordOf`. */
export async function storeUser(kit: StoredKit, name: string): Promise<string> {
  await addUser(kit.server.context, { name, password: passwordOf(name) });
  return name;
}

/** Signs a user in, and returns the code. */
export async function codeOf(
  kit: StoredKit,
  { user, client = "app", scope = "openid profile", resource }: SignIn,
  browser: Browser = kit.browser(),
): Promise<string> {
  const fields = { client_id: client, redirect_uri: redirectUri, scope, resource };
  const actions = { user, password: passwordOf(user) };
  return present((await kit.authorize(fields, actions, browser)).get("code"));
}

/** Signs a user in, and returns the tokens. */
export async function tokensOf(
  kit: StoredKit,
  signIn: SignIn,
  browser?: Browser,
): Promise<Tokens> {
  const code = await codeOf(kit, signIn, browser);
  const { status, body } = await kit.redeem(code, { client_id: signIn.client ?? "app" });
  assertEquals(status, 200);
  return body;
}

export function refreshOf(
  kit: StoredKit,
  refresh_token: string,
  client_id = "app",
): Promise<ReadResponse> {
  return kit.token({ grant_type: "refresh_token", refresh_token, client_id });
}

export async function revoke(kit: StoredKit, token: string, client_id = "app"): Promise<void> {
  assertEquals((await kit.post("/oauth2/revoke", { token, client_id })).status, 200);
}

/** Returns whether the API sees a token as active. */
export async function isActive(kit: StoredKit, token: string): Promise<boolean> {
  return (await read(await kit.post("/oauth2/introspect", { token }, api))).body.active;
}

/** Returns a browser with the cookies of an earlier one. */
export function browserWith(kit: StoredKit, cookies: Cookies): Browser {
  const browser = kit.browser();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

/** Asks for a code without a page, and returns the parameters of the callback. */
export async function withoutPage(
  kit: StoredKit,
  browser: Browser,
  changes: Fields = {},
): Promise<URLSearchParams> {
  const fields = { client_id: "app", scope: "openid profile", prompt: "none", ...changes };
  const url = kit.authorizationUrl(fields);
  return new URL((await browser.open(url)).url).searchParams;
}
