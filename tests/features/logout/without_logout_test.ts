import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { logoutParts } from "../../../src/server/features/logout/logout_requests.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import { logoutUrl, signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

const scope = "openid";
const client_id = "late";
const redirectUris = ["https://hallpass.test/authorized"];
const bye = "https://app.example/bye";

describe("A server without logout requests, on the store of one that had them", () => {
  it("continues no request that waits for its user, who stays signed in", async () => {
    const { whole, without } = openWithAndWithout("logout");
    const { browser: before } = await signedIn(whole, { scope });
    const { url } = await before.open(logoutUrl(whole));
    assertEquals((await logoutParts(whole.server.context).requests.list()).length, 1);
    const after = without.browser();
    for (const [name, value] of before.cookies) after.cookies.set(name, value);
    assertEquals((await after.request(url)).status, 404);
    assertEquals((await after.request(logoutUrl(without))).status, 404);
    assertEquals(await whoIsSignedIn(without, after), "alice");
  });

  it("still lets its users sign out by themselves", async () => {
    const { without } = openWithAndWithout("logout");
    const { browser } = await signedIn(without, { scope });
    await browser.submit(await browser.open(`${without.issuer}/`), "sign-out");
    assertEquals(await whoIsSignedIn(without, browser), undefined);
  });

  it("knows no stored client that wants its users back after a sign-out", async () => {
    const { whole, without } = openWithAndWithout("logout");
    const client = { id: client_id, redirectUris, postLogoutRedirectUris: [bye] };
    await addClient(whole.server.context, client);
    assertEquals(await findClient(without.server.context, client_id), undefined);
  });

  it("leaves its clients to one that has them, where they get no users back", async () => {
    const { whole, without } = openWithAndWithout("logout");
    await addClient(without.server.context, { id: client_id, redirectUris });
    const { browser, idToken: id_token_hint } = await signedIn(whole, { scope, client_id });
    const fields = { id_token_hint, post_logout_redirect_uri: bye };
    const question = await browser.open(logoutUrl(whole, fields));
    const { status, html } = await browser.submit(question, "confirm-sign-out");
    assertEquals([status, html.includes(`href="${bye}`)], [200, false]);
  });
});
