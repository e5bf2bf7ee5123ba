import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { beginLogin, redirectUri } from "./app.ts";

const home = "http://localhost:3000/";

it("signs Alice out at the provider", async () => {
  const client = { id: "web", redirectUris: [redirectUri], postLogoutRedirectUris: [home] };
  await using lab = await hallpass({ clients: [client] });
  const login = await beginLogin(lab.issuer, lab.fetch);
  const browser = lab.browser(); // another browser would have no session to end
  const { callback } = await browser.authorize(login.url, { user: "alice" });
  const { signOutUrl } = await login.finish(callback);
  assert.equal(await browser.signOut(signOutUrl()), home);
  assert.deepEqual(await lab.sessions(), []);
  lab.assertClean({ refused: true });
});
