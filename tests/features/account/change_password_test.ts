import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import * as users from "../../../src/administration/users.ts";
import { publicPasswords } from "../../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../../src/lab/tokens/test_keys.ts";
import type { Config } from "../../../src/server/features.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { type Browser, type Page, readForm, textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { isActive, type Kit, openKit, openStrictKit, seesTokens, spa } from "../../support/kit.ts";
import { signedIn, whoIsSignedIn } from "../../support/logout.ts";
import { present } from "../../support/present.ts";
import { interruptEachCall } from "../../support/stores.ts";

const it = itWith({ inKit: openWithDora });

const first = "the first password";
const second = "another password";
const dora = { name: "dora", password: first, claims: { email: "dora@mail.example" } };
const asDora = { user: "dora", password: first };
const filled = { current_password: first, new_password: second, repeated_password: second };

const config: Partial<Config> = {
  scopes: {
    openid: "Know who you are",
    email: "See your address",
    offline_access: "Stay",
    read: "Read",
  },
  clients: [
    spa(),
    {
      id: "demo-service",
      secret: "demo-service-secret",
      grantTypes: ["client_credentials"],
      ...seesTokens,
    },
  ],
  users: [{ name: "carol", passwordHash: await publicPasswords.hash("carol") }],
};

/** A server as `hallpass serve` runs it, with a user in its store. */
async function openWithDora(changes: Partial<Config> = {}): Promise<Kit> {
  const policies = { passwords: publicPasswords, makeKey: makeTestKey, ...changes.policies };
  const kit = openStrictKit({ ...config, ...changes, policies });
  await users.add(kit.server.context, dora);
  return kit;
}

/** Signs dora in with a browser and an application. */
async function signInDora(kit: Kit, password = first, browser?: Browser): Promise<Browser> {
  const scope = "openid email";
  return (await signedIn(kit, { scope }, { user: "dora", password }, browser)).browser;
}

async function openForm(kit: Kit, browser: Browser): Promise<Page> {
  return await browser.open(`${kit.issuer}/account/password`);
}

/** Sends the form as dora fills it in, with a test's changes. */
async function change(kit: Kit, browser: Browser, changes: Record<string, string> = {}) {
  const page = await openForm(kit, browser);
  return await browser.submit(page, "change-password", { ...filled, ...changes });
}

/** Whether a password is dora's. */
async function isPassword(kit: Kit, password: string): Promise<boolean> {
  const browser = kit.browser();
  const page = await browser.open(`${kit.issuer}/account`);
  return (await browser.signIn(page, "dora", password)).status === 303;
}

async function passwordsThatWork(kit: Kit): Promise<string[]> {
  const known = [first, second, "the operator's password"];
  const works = await Promise.all(known.map((password) => isPassword(kit, password)));
  return known.filter((_, at) => works[at]);
}

describe("A new password of a user", () => {
  it.inKit("replaces the old one, and the account page says when", async (kit) => {
    const browser = await signInDora(kit);
    assertEquals((await change(kit, browser)).url, "/account");
    const account = await browser.open(`${kit.issuer}/account`);
    assertStringIncludes(textOf(account.html), "Password Last changed now Change password");
    assertEquals(await passwordsThatWork(kit), [second]);
    assert(kit.events.some((event) => event.type === "password.changed" && event.user === "dora"));
  });

  it.inKit("ends every other session, and leaves this one", async (kit) => {
    const [own, other] = [await signInDora(kit), await signInDora(kit)];
    await change(kit, own);
    const names = [own, other].map((browser) => whoIsSignedIn(kit, browser));
    assertEquals(await Promise.all(names), ["dora", undefined]);
    const ended = kit.events.filter(({ type }) => type === "session.ended");
    assertEquals(ended.length, 1);
  });

  it.inKit("revokes what was issued outside of this session, even for offline access", async (kit) => {
    const scope = "openid offline_access";
    const { body: other } = await kit.redeem(await kit.code({ scope, prompt: "consent" }, asDora));
    const browser = kit.browser();
    const code = (await kit.authorize({ scope: "openid read" }, asDora, browser)).get("code");
    const { body: own } = await kit.redeem(present(code));
    await change(kit, browser);
    assertEquals(kit.events.filter(({ type }) => type === "authorization.revoked").length, 1);
    assertEquals(await isActive(kit, other.access_token), false);
    assertEquals((await kit.refresh(other.refresh_token)).status, 400);
    assertEquals(await isActive(kit, own.access_token), true);
    assertEquals((await kit.refresh(own.refresh_token)).status, 200);
  });

  it.inKit("ends what was kept at the change before, if another session makes it", async (kit) => {
    const browser = kit.browser();
    const code = (await kit.authorize({ scope: "openid" }, asDora, browser)).get("code");
    const { body } = await kit.redeem(present(code));
    await change(kit, browser);
    const other = await signInDora(kit, second);
    const third = "a third password";
    const changes = { current_password: second, new_password: third, repeated_password: third };
    await change(kit, other, changes);
    assertEquals(await isActive(kit, body.access_token), false);
    assertEquals(await whoIsSignedIn(kit, browser), undefined);
  });

  it.inKit("can be followed by another one in the same session, which keeps what it had", async (kit) => {
    const browser = kit.browser();
    const code = (await kit.authorize({ scope: "openid" }, asDora, browser)).get("code");
    const { body } = await kit.redeem(present(code));
    await change(kit, browser);
    await change(kit, browser, {
      current_password: second,
      new_password: first,
      repeated_password: first,
    });
    assertEquals(await isActive(kit, body.access_token), true);
    assertEquals(await passwordsThatWork(kit), [first]);
  });

  const ends: Array<[what: string, end: (kit: Kit) => Promise<void>]> = [
    [
      "the operator's password",
      ({ server }) => users.setPassword(server.context, "dora", "x".repeat(9)),
    ],
    ["disabling", ({ server }) => users.disable(server.context, "dora")],
  ];
  for (const [what, end] of ends) {
    it.inKit(`keeps nothing from ${what}`, async (kit) => {
      const browser = kit.browser();
      const code = (await kit.authorize({ scope: "openid" }, asDora, browser)).get("code");
      const { body } = await kit.redeem(present(code));
      await change(kit, browser);
      await end(kit);
      assertEquals(await isActive(kit, body.access_token), false);
      assertEquals(await whoIsSignedIn(kit, browser), undefined);
    });
  }

  it.inKit("makes a copy of the session's cookie useless", async (kit) => {
    const browser = await signInDora(kit);
    const thief = kit.browser(browser);
    await change(kit, browser);
    assertEquals(await whoIsSignedIn(kit, thief), undefined);
    assertEquals(await whoIsSignedIn(kit, browser), "dora");
  });
});

describe("A new password is refused", () => {
  const other = "dora@mail.example";
  const refusals: Array<[what: string, changes: Record<string, string>, message: RegExp]> = [
    ["with a wrong current one", { current_password: "x" }, /The current password is wrong/],
    ["without the current one", { current_password: "" }, /The current password is wrong/],
    ["if it is too short", { new_password: "1234567" }, /too short/],
    ["if emoji only look like enough", { new_password: "🔑🔑🔑🔑" }, /too short/],
    ["if it is missing", { new_password: "" }, /too short/],
    ["if it is the e-mail address", { new_password: "Dora@Mail.Example" }, /must not be your user/],
    ["if it is the current one", { new_password: first }, /must not be the current one/],
    ["if it was not repeated", { repeated_password: other }, /do not match/],
  ];
  for (const [what, changes, message] of refusals) {
    it.inKit(`${what}, and nothing changes`, async (kit) => {
      const browser = await signInDora(kit);
      const page = await change(kit, browser, changes);
      assertEquals(page.status, 422);
      assertMatch(page.html, message);
      assertEquals(await passwordsThatWork(kit), [first]);
      assertEquals(await whoIsSignedIn(kit, browser), "dora");
      assert(!kit.events.some(({ type }) => type === "password.changed"));
    });
  }

  it.inKit("in a form made for another browser or session", async (kit) => {
    const [own, other] = [await signInDora(kit), await signInDora(kit)];
    const { hidden } = readForm(await openForm(kit, own), "change-password");
    const send = (browser: Browser, form_token: string) =>
      browser.request(`${kit.issuer}/account/password`, {
        method: "POST",
        body: new URLSearchParams({ ...filled, form_token }),
      });
    assertEquals((await send(own, "x")).status, 403);
    assertEquals((await send(other, present(hidden.form_token))).status, 403);
    await own.submit(await own.open(`${kit.issuer}/account`), "sign-out");
    await signInDora(kit, first, own);
    assertEquals((await send(own, present(hidden.form_token))).status, 403);
    assertEquals(await passwordsThatWork(kit), [first]);
  });

  it("after too many wrong guesses at the current one, though the right one follows", async () => {
    const kit = await openWithDora({ guessesPerMinute: 3 });
    kit.address = "192.0.2.1";
    const browser = await signInDora(kit);
    // A browser in which dora has signed in before has guesses of its own.
    for (let count = 0; count < 6; count++) await change(kit, browser, { current_password: "x" });
    const page = await change(kit, browser);
    assertEquals(page.status, 429);
    kit.clock.advance(60);
    assertEquals(await passwordsThatWork(kit), [first]);
  });

  it("if an administrator changed the user meanwhile, and the administrator's stays", async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const passwords = {
      ...publicPasswords,
      async hash(password: string) {
        if (password === second) {
          reached.resolve();
          await gate.promise;
        }
        return await publicPasswords.hash(password);
      },
    };
    const store = memoryStore();
    const kit = await openWithDora({ store, policies: { passwords } });
    const admin = openStrictKit({ ...config, store });
    const browser = await signInDora(kit);
    const changed = change(kit, browser);
    await reached.promise;
    await users.setPassword(admin.server.context, "dora", "the operator's password");
    gate.resolve();
    const { status, html } = await changed;
    assertEquals(status, 403);
    assertMatch(html, /This page has expired/);
    assertEquals(await passwordsThatWork(kit), ["the operator's password"]);
  });
});

describe("The form for a new password", () => {
  it.inKit("asks for a sign-in first, and leads there after it", async (kit) => {
    const browser = kit.browser();
    const page = await openForm(kit, browser);
    assertMatch(textOf(page.html), /Sign in to continue to your account/);
    const failed = await browser.signIn(page, "dora", "x");
    assertEquals(failed.status, 422);
    const done = await browser.signIn(failed, "dora", first);
    assertEquals(done.url, "/account/password");
    assertStringIncludes((await openForm(kit, browser)).html, '<form id="change-password"');
  });

  it.inKit("asks again if the sign-in was ten minutes ago, and the session stays the same", async (kit) => {
    const browser = await signInDora(kit);
    const form = await openForm(kit, browser);
    kit.clock.advance(10 * 60);
    const late = await browser.submit(form, "change-password", filled);
    assertEquals([late.url, await passwordsThatWork(kit)], ["/account/password", [first]]);
    const again = await openForm(kit, browser);
    assertMatch(again.html, /id="sign-in"[\s\S]* value="dora"/);
    await browser.signIn(again, "dora", first);
    assertEquals((await browser.submit(form, "change-password", filled)).url, "/account");
    assertEquals(await passwordsThatWork(kit), [second]);
  });

  it.inKit("leads nowhere else, whatever the address says", async (kit) => {
    for (const next of ["//evil.example", "https://evil.example", "sessions", "../x"]) {
      const browser = kit.browser();
      const { hidden } = readForm(await browser.open(`${kit.issuer}/account`), "sign-in");
      const url = `${kit.issuer}/account/sign-in?next=${encodeURIComponent(next)}`;
      const body = new URLSearchParams({ ...hidden, username: "dora", password: first });
      const response = await browser.request(url, { method: "POST", body });
      assertEquals(response.headers.get("Location"), "/account", next);
    }
  });

  it.inKit("contains no password, and is not stored by the browser", async (kit) => {
    const browser = await signInDora(kit);
    const page = await change(kit, browser, { new_password: "secretly" });
    assert(!page.html.includes("secretly") && !page.html.includes(first));
    assertMatch(page.headers.get("Cache-Control") ?? "", /no-store/);
  });

  const absent: Array<[what: string, open: () => Promise<Kit>, user: string, password: string]> = [
    ["of the configuration", () => openWithDora(), "carol", "carol"],
    ["of a lab", async () => openKit(), "alice", "alice"],
    [
      "of an authenticate policy",
      () =>
        openWithDora({ policies: { authenticate: (form, users) => users.checkPassword(form) } }),
      "dora",
      first,
    ],
  ];
  for (const [what, open, user, password] of absent) {
    it(`is absent for a user ${what}`, async () => {
      const kit = await open();
      const { browser } = await signedIn(kit, { scope: "openid" }, { user, password });
      const account = await browser.open(`${kit.issuer}/account`);
      assert(!account.html.includes("/account/password"));
      assertEquals((await openForm(kit, browser)).status, 404);
      const body = new URLSearchParams(filled);
      const url = `${kit.issuer}/account/password`;
      assertEquals((await browser.request(url, { method: "POST", body })).status, 404);
    });
  }
});

describe("A new password of a user who is removed at that moment", () => {
  it("is refused, and is no internal error", async () => {
    let page: Page | undefined;
    let changed: Page | undefined;
    await interruptEachCall<{ kit: Kit; browser: Browser }>({
      async open(store) {
        const kit = await openWithDora({ store });
        const browser = kit.browser();
        await browser.signIn(await browser.open(`${kit.issuer}/account`), "dora", first);
        page = await openForm(kit, browser);
        return { kit, browser };
      },
      async act({ browser }) {
        changed = await browser.submit(present(page), "change-password", filled);
      },
      interruption: ({ kit }) => users.remove(kit.server.context, "dora").catch(() => {}),
      check: async (_, call) => assert(present(changed).status < 500, `before call ${call}`),
    });
  });
});
