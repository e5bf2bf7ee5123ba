import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { type Browser, readForm, textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { claimsOf, isActive, type Kit, openKit, openLabKit } from "../../support/kit.ts";
import { signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";

const it = itWith({ inKit: openKit });

async function openAccount(kit: Kit, browser: Browser) {
  return await browser.open(`${kit.issuer}/account`);
}

describe("The account page (OAuth 2.1, section 7.9)", () => {
  it.inKit("R07 A38 shows to whom one has allowed what, since when, and what that means", async (kit) => {
    const { browser } = await signedIn(kit, { scope: "openid read" });
    kit.clock.advance(2 * 3600);
    await signedIn(
      kit,
      { client_id: "demo-cli", redirect_uri: "http://127.0.0.1:1/callback", scope: "openid write" },
      undefined,
      browser,
    );
    const text = textOf((await openAccount(kit, browser)).html);
    assertMatch(
      text,
      /Demo single-page app hallpass\.test Since January 1, 2026 What it can do Read your things read Information about you Know who you are openid Remove access/,
    );
    assertMatch(
      text,
      /Demo command line On your own device Since January 1, 2026 What it can do Change your things write/,
    );
    assert(!text.includes("Demo web app"));
  });

  it.inKit("has each of its headings in a card", async (kit) => {
    const { browser } = await signedIn(kit);
    const { html } = await openAccount(kit, browser);
    const [, ...cards] = html.split('<section class="card" ');
    assertEquals(cards.map((card) => /^id="(\S+)"><h2>/.exec(card)?.[1]), [
      "sessions",
      "connected-apps",
    ]);
  });

  it.inKit("A38 leaves out nothing of what was allowed: resources and claims by name are there as well", async (kit) => {
    const claims = JSON.stringify({ userinfo: { email: null } });
    const { browser } = await signedIn(kit, {
      scope: "openid",
      resource: "https://api.example/v1",
      claims,
    });
    assertMatch(
      textOf((await openAccount(kit, browser)).html),
      /Information about you Know who you are openid E-mail address email Where it applies https:\/\/api\.example\/v1 Remove access/,
    );
  });

  it.inKit("R07 takes access away, at once and with one click", async (kit) => {
    const browser = kit.browser();
    const code = (await kit.authorize({}, undefined, browser)).get("code")!;
    const { access_token, refresh_token } = (await kit.redeem(code)).body;
    const page = await openAccount(kit, browser);
    const response = await browser.submit(page, "remove-demo-spa");
    assertEquals(response.url, "/account");
    assertEquals(await isActive(kit, access_token), false);
    assertEquals(await isActive(kit, refresh_token), false);
    assertMatch(
      textOf((await openAccount(kit, browser)).html),
      /No application can use your account\.$/,
    );
    assertStringIncludes((await browser.open(kit.authorizationUrl())).html, 'id="consent"');
  });

  it.inKit("R07 refuses a form made for another user or browser", async (kit) => {
    const { browser } = await signedIn(kit);
    const page = await openAccount(kit, browser);
    assertEquals((await browser.submit(page, "remove-demo-spa", { form_token: "x" })).status, 403);
    const bobs = (await signedIn(kit, {}, { user: "bob" })).browser;
    const body = new URLSearchParams(readForm(page, "remove-demo-spa").hidden);
    assertEquals(
      (await bobs.request(`${kit.issuer}/account/remove`, { method: "POST", body })).status,
      403,
    );
    await browser.authorize(kit.authorizationUrl({ prompt: "login" }), { user: "bob" });
    assertEquals((await browser.submit(page, "remove-demo-spa")).status, 403);
    assertStringIncludes((await openAccount(kit, bobs)).html, "remove-demo-spa");
  });

  it.inKit("Q6: R07 refuses an id that is too long for a store", async (kit) => {
    const { browser } = await signedIn(kit);
    const page = await openAccount(kit, browser);
    const remove = (client_id: string) => browser.submit(page, "remove-demo-spa", { client_id });
    assertEquals((await remove("c".repeat(3_000))).status, 400);
    assertEquals((await remove("c".repeat(255))).url, "/account");
  });

  it.inKit("R07 shows what is left of a client that is gone, so that it can be taken back", async (kit) => {
    const { records, settings } = kit.server.context;
    await records.clients.put(
      "late",
      { ...present(await settings.clients.get("demo-spa")), id: "late" },
      8.64e15,
    );
    const { browser } = await signedIn(kit, { client_id: "late" });
    await records.clients.delete("late");
    await browser.submit(await openAccount(kit, browser), "remove-late");
    assert(!(await openAccount(kit, browser)).html.includes("remove-late"));
  });

  it.inKit("asks for a sign-in first, without an application", async (kit) => {
    const browser = kit.browser();
    const page = await openAccount(kit, browser);
    assertMatch(textOf(page.html), /Sign in to continue to your account/);
    const failed = await browser.signIn(page, "alice", "wrong");
    assertEquals([failed.status, /id="sign-in-failed"/.test(failed.html)], [422, true]);
    assertEquals((await browser.signIn(failed)).url, "/account");
    assertMatch(
      textOf((await openAccount(kit, browser)).html),
      /Alice Adler alice@example\.com Sign out/,
    );
    assertEquals(
      (await browser.submit(page, "sign-in", { username: "bob", password: "bob", form_token: "x" }))
        .status,
      403,
    );
    assertEquals(await whoIsSignedIn(kit, browser), "alice");
  });

  it("signs out, and is linked from the home page of a signed-in user", async () => {
    const kit = openLabKit();
    const { browser } = await signedIn(kit);
    assertStringIncludes((await browser.open(`${kit.issuer}/`)).html, 'href="/account"');
    await browser.submit(await openAccount(kit, browser), "sign-out");
    assertEquals(await whoIsSignedIn(kit, browser), undefined);
    assert(!(await browser.open(`${kit.issuer}/`)).html.includes('href="/account"'));
  });
});

describe("What the user took back", () => {
  it.inKit("CVE-2024-46999: is a scope of no token afterwards", async (kit) => {
    const browser = kit.browser();
    const code = (await kit.authorize({ scope: "openid read" }, {}, browser)).get("code");
    const { body: before } = await kit.redeem(code ?? "");
    const account = await browser.open(`${kit.issuer}/account`);
    await browser.submit(account, "remove-demo-spa");
    const refreshed = await kit.refresh(before.refresh_token);
    assertEquals(refreshed.body.error, "invalid_grant");
    assertEquals(await isActive(kit, before.access_token), false);
    const silent = await kit.authorize({ scope: "openid read", prompt: "none" }, {}, browser);
    assertEquals(silent.get("error"), "consent_required");
    const again = await kit.authorize({ scope: "openid" }, {}, browser);
    const { body: after } = await kit.redeem(again.get("code") ?? "");
    assertEquals([after.scope, claimsOf(after.access_token).scope], ["openid", "openid"]);
  });
});

describe("Other pages", () => {
  it.inKit("name the account page: the consent page below all that can be allowed, and the home page", async (kit) => {
    const browser = kit.browser();
    const home = await browser.open(`${kit.issuer}/`);
    assertMatch(home.html, /<a id="account" class="button" href="\/account">Sign in</);
    const signIn = await browser.open(kit.authorizationUrl({ scope: "openid email" }));
    const consent = await browser.signIn(signIn);
    assertMatch(consent.html, /email.*take this back .*<a href="\/account#connected-apps">/);
  });
});
