import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { claimsOf, openKit } from "../../support/kit.ts";
import { logoutUrl, signedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";
import { register } from "../../support/registration.ts";
import { watchedStore } from "../../support/stores.ts";
import { hasFeature } from "../../support/where_feature.ts";

describe("A request to sign out", () => {
  it("M8: is refused if a parameter is too long to be stored", async () => {
    const fields = { client_id: "demo-spa", state: "x".repeat(3000) };
    const response = await openKit().post("/oauth2/logout", fields);
    assertEquals(response.status, 400);
    assertMatch(await response.text(), /state.* must have at most 2048/);
  });

  it("M8: counts as what its network has stored in a minute, if it comes by POST", async () => {
    const kit = openKit({ storedBytesPerMinute: 4000 });
    const send = async () => {
      const response = await kit.post("/oauth2/logout", { state: "x".repeat(500) });
      await response.body?.cancel();
      return response;
    };
    kit.address = "203.0.113.66";
    for (let n = 0; n < 50; n++) await send();
    const { status, headers } = await send();
    assertEquals([status, headers.get("Retry-After")], [429, "60"]);
    kit.address = "198.51.100.7";
    assertEquals((await send()).status, 303);
    kit.address = "203.0.113.66";
    kit.clock.advance(60);
    assertEquals((await send()).status, 303);
  });

  it("L13: is kept without the ID token that came with it", async () => {
    const store = watchedStore();
    const kit = openKit({ store });
    const { browser, idToken } = await signedIn(kit, { scope: "openid" });
    store.texts.length = 0;
    await browser.request(logoutUrl(kit, {}), {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ id_token_hint: idToken, state: "s" }),
    });
    const [, signature] = /\.([\w-]+)$/.exec(idToken)!;
    const stored = store.texts.filter((text) => text.includes(claimsOf(idToken).sid));
    assertEquals(stored.length, 1);
    assertEquals(store.texts.some((text) => text.includes(present(signature))), false);
  });

  it("names the authorization of its ID token in its events", async () => {
    const concerned: Array<string | undefined> = [];
    const kit = openKit({
      onEvent: (event, request) =>
        void (event.type === "request.handled" && concerned.push(request?.authorization)),
    });
    const { browser, idToken } = await signedIn(kit, { scope: "openid" });
    const authorization = present(concerned.at(-1));
    await browser.open(logoutUrl(kit, { id_token_hint: idToken }));
    assertEquals(concerned.at(-1), authorization);
  });

  if (hasFeature("languages")) {
    it("O02 is shown in the language of its ui_locales", async () => {
      const { html } = await openKit().browser().open(logoutUrl(openKit(), { ui_locales: "ar" }));
      assertMatch(html, /<html[^>]* lang="ar"/);
    });
  }
});

if (hasFeature("registration")) {
  describe("A client that registers itself", () => {
    const schemes = [
      "javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///x",
      "blob:x",
    ];
    for (const uri of schemes) {
      it(`GHSA-484q-784p-8m5h: sends users to no address that runs or reads something: ${uri}`, async () => {
        const { status, body } = await register(openKit(), { post_logout_redirect_uris: [uri] });
        assertEquals([status, body.client_id], [400, undefined]);
      });
    }
  });
}
