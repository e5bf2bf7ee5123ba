import type { Browser, Page, UserActions } from "./browser.ts";
import { encode, type Fields, type FlowKit } from "./flow_kit.ts";
import { present } from "./present.ts";

/** Signs a user in with a request of demo-spa, and returns the browser and an ID token. */
export async function signedIn(
  kit: FlowKit,
  changes: Fields = {},
  actions?: UserActions,
  browser: Browser = kit.browser(),
): Promise<{ browser: Browser; idToken: string }> {
  const code = present((await kit.authorize(changes, actions, browser)).get("code"));
  const { client_id = "demo-spa", redirect_uri } = changes;
  const { body } = await kit.redeem(code, { client_id, ...redirect_uri && { redirect_uri } });
  return { browser, idToken: body.id_token };
}

/** Signs a user in at a client whose host has its name. */
export async function signInAt(
  kit: FlowKit,
  client_id: string,
  browser?: Browser,
  changes: Fields = {},
  user: string = "alice",
): ReturnType<typeof signedIn> {
  const redirect_uri = `https://${client_id}.example/cb`;
  const asked = { client_id, redirect_uri, scope: "openid", ...changes };
  return await signedIn(kit, asked, { user }, browser);
}

export function logoutUrl(kit: FlowKit, fields: Fields = {}): string {
  return `${kit.issuer}/oauth2/logout?${encode(fields)}`;
}

/** Signs a user out by the button on the home page. */
export async function signOut(kit: FlowKit, browser: Browser): Promise<Page> {
  return await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
}

/** Returns the user of a browser, by the first part of the e-mail address on the home page. */
export async function whoIsSignedIn(kit: FlowKit, browser: Browser): Promise<string | undefined> {
  const { html } = await browser.open(`${kit.issuer}/`);
  return /class="email">(\w+)/.exec(html)?.[1];
}
