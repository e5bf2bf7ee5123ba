import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { logoutParts } from "../../../src/server/features/logout/logout_requests.ts";
import { logoutUrl, signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { itKnowsNoClient, openWithAndWithout } from "../../support/without_feature.ts";

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
    const after = without.browser(before);
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

  itKnowsNoClient(
    "wants its users back after a sign-out",
    { postLogoutRedirectUris: [bye] },
    "logout",
  );

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
