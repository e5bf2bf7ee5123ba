import type { Browser, UserActions } from "./browser.ts";
import { encode, type Fields, type Kit } from "./kit.ts";

/** Signs a person in by a request of demo-spa, but for what a test changes, and gives back their browser and an ID token. */
export async function signedIn(
  kit: Kit,
  changes: Fields = {},
  person?: UserActions,
  browser = kit.browser(),
): Promise<{ browser: Browser; idToken: string }> {
  const code = (await kit.authorize(changes, person, browser)).get("code")!;
  const { client_id = "demo-spa", redirect_uri } = changes;
  const { body } = await kit.redeem(code, { client_id, ...redirect_uri && { redirect_uri } });
  return { browser, idToken: body.id_token };
}

export function logoutUrl(kit: Kit, fields: Fields = {}): string {
  return `${kit.issuer}/oauth2/logout?${encode(fields)}`;
}

/** Who is signed in with a browser, as the home page says. */
export async function whoIsSignedIn(kit: Kit, browser: Browser): Promise<string | undefined> {
  const { html } = await browser.open(`${kit.issuer}/`);
  return /Signed in as <strong>([^<]*)</.exec(html)?.[1];
}
